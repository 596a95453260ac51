import { expect, test } from 'vitest'
import { lineAt, lineCount, sectionsOf } from './sections.ts'

const groups = [
  { key: 'trouble', label: 'trouble', total: 2, counts: { failing: 2 } },
  { key: 'passing', label: 'passing', total: 3, counts: { passing: 3 } },
]

test('each section has a head and its rows, in order', () => {
  const sections = sectionsOf('state', 5, groups)
  expect(lineCount(sections, new Set())).toBe(7)
  const lines = [0, 1, 2, 3, 6].map((at) => lineAt(sections, new Set(), at))
  expect(lines.map((line) => (line?.kind === 'row' ? `${line.section.key} ${line.at}` : line?.section.title))).toEqual([
    'Trouble',
    'trouble 0',
    'trouble 1',
    'Passing',
    'passing 2',
  ])
  expect(lineAt(sections, new Set(), 7)).toBeUndefined()
})

test('a folded section shows its head alone', () => {
  const sections = sectionsOf('state', 5, groups)
  const folded = new Set(['trouble'])
  expect(lineCount(sections, folded)).toBe(5)
  expect(lineAt(sections, folded, 1)).toMatchObject({ kind: 'head', section: { key: 'passing' } })
})

test('a list without groups has no heads', () => {
  const sections = sectionsOf('none', 4)
  expect(lineCount(sections, new Set())).toBe(4)
  expect(lineAt(sections, new Set(), 0)).toMatchObject({ kind: 'row', at: 0 })
})

test('a group is a filter of the list, also the one of checks without a tag', () => {
  const untagged = [{ key: null, label: null, total: 1, counts: {} }]
  expect(sectionsOf('tag', 1, untagged)[0]).toMatchObject({ title: 'Without a tag', filter: { untagged: true } })
  expect(sectionsOf('host', 1, [{ key: 'shop', label: 'shop', total: 1, counts: {} }])[0]?.filter).toEqual({
    host: 'shop',
  })
  const [shop, none] = sectionsOf('group', 2, [
    { key: '7', label: 'Shop', total: 1, counts: {} },
    { key: null, label: null, total: 1, counts: {} },
  ])
  expect(shop).toMatchObject({ title: 'Shop', filter: { group: '7' } })
  expect(none).toMatchObject({ title: 'In no group', filter: { ungrouped: true } })
})
