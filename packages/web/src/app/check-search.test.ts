import { expect, test } from 'vitest'
import { rangeOf, readCheckSearch } from './check-search.ts'

test('an address without a range shows six hours up to now', () => {
  expect(rangeOf(readCheckSearch({}), 100_000_000)).toEqual({ name: '6h', from: 100_000 - 21_600, to: 100_000 })
})

test('a named range follows the clock, a chosen one stays where it is', () => {
  expect(rangeOf(readCheckSearch({ range: '7d' }), 1e12).name).toBe('7d')
  expect(rangeOf(readCheckSearch({ from: 1000, to: 2000 }), 1e12)).toEqual({ name: undefined, from: 1000, to: 2000 })
})

test('what makes no sense is left out', () => {
  expect(readCheckSearch({ range: '9y' })).toEqual({})
  expect(readCheckSearch({ from: 2000, to: 1000 })).toEqual({})
  expect(readCheckSearch({ from: 'x', to: 5 })).toEqual({})
  expect(readCheckSearch({ from: 1, to: 9 * 86_400 })).toEqual({})
})
