import { expect, test } from 'vitest'
import { assertionOf } from './assert-picked.ts'

test('a value is asserted to be what it was', () => {
  expect(assertionOf({ source: 'JSON_BODY', property: '$.ok', value: true })).toMatchObject({
    source: 'JSON_BODY',
    property: '$.ok',
    comparison: 'EQUALS',
    target: 'true',
  })
})

test('nothing and an empty text have comparisons of their own', () => {
  expect(assertionOf({ source: 'JSON_BODY', property: '$.a', value: null }).comparison).toBe('IS_NULL')
  expect(assertionOf({ source: 'HEADERS', property: 'via', value: '' }).comparison).toBe('IS_EMPTY')
})
