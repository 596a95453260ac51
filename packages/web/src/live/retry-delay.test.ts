import { expect, test } from 'vitest'
import { retryDelay } from './retry-delay.ts'

test('tries follow each other ever more slowly', () => {
  expect([0, 1, 2].map((tries) => retryDelay(tries, 0, 1))).toEqual([250, 500, 1000])
})

test('for the first minutes a page is never more than two seconds from its next try', () => {
  for (let tries = 0; tries < 200; tries++) expect(retryDelay(tries, 299_000, 1)).toBeLessThanOrEqual(2000)
})

test('a server that stays away is asked less often, by each page at another time', () => {
  expect(retryDelay(50, 3_600_000, 1)).toBe(15_000)
  expect(retryDelay(50, 3_600_000, 0)).toBe(10_500)
})
