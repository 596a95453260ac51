import { expect, test } from 'vitest'
import { holds, memberPath, parsedJson } from './parsed-json.ts'

test('objects and lists are read, everything else stays text', () => {
  expect(parsedJson(' {"a":1}')).toEqual({ a: 1 })
  expect(parsedJson('[1]')).toEqual([1])
  expect(parsedJson('"a"')).toBeUndefined()
  expect(parsedJson('{"a":')).toBeUndefined()
  expect(parsedJson('<html>')).toBeUndefined()
})

test('a path names the member so that an assertion finds it', () => {
  expect(memberPath(memberPath('$.products', 0), 'name')).toBe('$.products[0].name')
  expect(memberPath('$', "it's odd")).toBe(String.raw`$['it\'s odd']`)
})

test('a search finds names and values at any depth', () => {
  const value = { products: [{ name: 'Lantern', price: 39 }] }
  expect(holds('', value, 'lant')).toBe(true)
  expect(holds('', value, 'price')).toBe(true)
  expect(holds('', value, '39')).toBe(true)
  expect(holds('', value, 'flag')).toBe(false)
})
