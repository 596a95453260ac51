import { expect, test } from 'vitest'
import { withQuery } from './client.ts'

test('a query leaves out what is not set and encodes the rest', () => {
  expect(withQuery('/v1/overview', { search: 'a&b', tag: undefined, state: '', page: 2 })).toBe(
    '/v1/overview?search=a%26b&page=2',
  )
  expect(withQuery('/v1/overview', {})).toBe('/v1/overview')
})
