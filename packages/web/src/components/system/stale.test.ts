import { expect, test } from 'vitest'
import { isStale } from './stale.ts'

const now = Date.UTC(2026, 0, 1)
const ranAgo = (seconds: number, state: 'passing' | 'failing' | 'paused' | 'pending' = 'passing') => ({
  state,
  lastRunAt: new Date(now - seconds * 1000).toISOString(),
  periodMs: 60_000,
})

test('data within two periods is fresh, older data is not, whatever the state', () => {
  expect(isStale(ranAgo(119), now, true)).toBe(false)
  expect(isStale(ranAgo(131), now, true)).toBe(true)
  expect(isStale(ranAgo(131, 'failing'), now, true)).toBe(true)
})

test('on a page that is cut off, all data is stale', () => {
  expect(isStale(ranAgo(1), now, false)).toBe(true)
})

test('a check that does not run, or has not yet, has nothing that could get old', () => {
  expect(isStale(ranAgo(9999, 'paused'), now, true)).toBe(false)
  expect(isStale({ ...ranAgo(0, 'pending'), lastRunAt: null }, now, false)).toBe(false)
})
