import { expect, test } from 'vitest'
import { queryOf, searchOf, type ChecksSearch } from './checks-search.ts'

test.each<[ChecksSearch, string]>([
  [{}, ''],
  [{ tag: 'shop,a b', group: 'host', sort: 'name' }, 'group=host&sort=name&tag=shop%2Ca+b'],
  [{ search: 'a&b=1', state: 'failing', muted: true }, 'muted=true&search=a%26b%3D1&state=failing'],
  [{ search: '12', muted: false }, 'muted=false&search=12'],
])('the view %j is the query "%s", and comes back', (search, query) => {
  expect(queryOf(search)).toBe(query)
  expect(searchOf(query)).toEqual(search)
})

test('the order in which filters were chosen makes no other view', () => {
  expect(queryOf({ sort: 'name', tag: 'shop' })).toBe(queryOf({ tag: 'shop', sort: 'name' }))
})

test('what a query of another version holds besides is left out', () => {
  expect(searchOf('tag=shop&colour=red&sort=price&muted=maybe')).toEqual({ tag: 'shop' })
})
