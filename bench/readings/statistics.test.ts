import { expect, it } from 'vitest'
import { median, quantile } from './statistics.ts'

it('the median is the middle value, or lies between the two in the middle', () => {
  expect(median([9, 1, 2])).toBe(2)
  expect(median([4, 1])).toBe(2.5)
  expect(median([5])).toBe(5)
  expect(median([])).toBeNaN()
})

it('a quantile is one of the values', () => {
  expect([quantile([3, 1, 2, 4], 0.5), quantile([3, 1, 2, 4], 0.99), quantile([7], 0)]).toEqual([2, 4, 7])
})
