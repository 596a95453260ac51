import { describe, expect, test } from 'vitest'
import { readFiles, refusedProblems } from './read-files.ts'

const shop = {
  name: 'shop.yaml',
  text: `# Of the shop
checks:
  - name: Cart
    type: API
    request:
      url: https://shop.example.com/cart
      basicAuth:
        username: ann
        password: { $env: CART_PASSWORD }
  - name: Front page
    type: URL
`,
}
const office = {
  name: 'office.json',
  text: JSON.stringify({ checks: [{ name: 'Door', type: 'TCP' }], account: { defaultLocations: [] } }, null, '\t'),
}

describe('files of configuration', () => {
  test('are one document, with the references in it', () => {
    const { document, references, problems } = readFiles([shop, office, { name: 'empty.yaml', text: '' }])
    expect(problems).toEqual([])
    expect(document.checks?.map(({ name }) => name)).toEqual(['Cart', 'Front page', 'Door'])
    expect(document.account).toEqual({ defaultLocations: [] })
    expect(references).toEqual(['CART_PASSWORD'])
  })

  test.each([
    ['a field', 'checks.0.request.url', { file: 'shop.yaml', line: 6 }],
    ['a field of an object', 'checks.0.request.basicAuth', { file: 'shop.yaml', line: 7 }],
    ['a field that is missing', 'checks.1.request.url', { file: 'shop.yaml', line: 10 }],
    ['an entry of the second file', 'checks.2.type', { file: 'office.json', line: 5 }],
    ['a section that is no list', 'account.defaultLocations', { file: 'office.json', line: 9 }],
    ['a list', 'checks', { file: 'shop.yaml', line: 2 }],
    ['nothing that is in the files', 'checks.3.name', undefined],
    ['a section that is not in the files', 'variables.0', undefined],
  ])('say where %s stands', (_, key, place) => {
    expect(readFiles([shop, office]).placeOf(key)).toEqual(place)
  })

  test('are followed through their aliases', () => {
    const text = 'checks:\n  - name: A\n    request: &one\n      url: a\n  - name: B\n    request: *one\n'
    expect(readFiles([{ name: 'a.yaml', text }]).placeOf('checks.1.request.url')).toEqual({ file: 'a.yaml', line: 4 })
  })

  test.each([
    ['broken YAML', 'a: 1\nb: [1\n', 3, /flow sequence/i],
    ['a name twice', 'checks: []\nchecks: []\n', 2, /unique/],
    ['an alias of nothing', 'checks: *all\n', 1, /alias/i],
    ['a list alone', '- name: A\n', 1, /must hold sections/],
    ['secrets', 'checks: []\nsecrets: { A: b }\n', 2, /do not belong in files/],
  ])('are refused with %s, and say where', (_, text, line, said) => {
    expect(readFiles([{ name: 'a.yaml', text }]).problems).toEqual([
      { text: expect.stringMatching(said) as string, place: { file: 'a.yaml', line } },
    ])
  })

  test('may not have a section twice that is no list, and not be empty together', () => {
    expect(readFiles([office, { name: 'b.yaml', text: '\naccount: {}' }]).problems).toEqual([
      { text: '"account" stands in another file already.', place: { file: 'b.yaml', line: 2 } },
    ])
    expect(readFiles([{ name: 'a.yaml', text: '# nothing' }]).problems).toEqual([
      { text: 'The files are empty: there is nothing to import.', place: undefined },
    ])
  })
})

test('problems that the server names stand where their keys say', () => {
  const { placeOf } = readFiles([shop])
  const message = 'check "Cart": "type" is wrong\ncheck "Front page": "name" is taken\nand 3 more'
  expect(refusedProblems(message, ['checks.0.type', 'checks.1.name'], placeOf)).toEqual([
    { text: 'check "Cart": "type" is wrong', place: { file: 'shop.yaml', line: 4 } },
    { text: 'check "Front page": "name" is taken', place: { file: 'shop.yaml', line: 10 } },
    { text: 'and 3 more', place: undefined },
  ])
})
