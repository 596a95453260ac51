import { expect, test } from 'vitest'
import { absoluteTime, clockTime, durationText, percentText, relativeTime } from './format-time.ts'

test.each([
  [0, '0 ms'],
  [0.002, '< 0.01 ms'],
  [0.077, '0.08 ms'],
  [0.26, '0.26 ms'],
  [1.26, '1.3 ms'],
  [9.94, '9.9 ms'],
  [12.4, '12 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1549, '1.5 s'],
  [10_000, '10 s'],
  [59_400, '59 s'],
  [59_700, '1 min'],
  [200_000, '3 min 20 s'],
  [3_599_900, '1 h'],
  [5_400_000, '1 h 30 min'],
  [86_400_000 * 3 + 3_600_000, '3 d 1 h'],
])('%d ms reads as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([
  [0, 'just now'],
  [-999, 'just now'],
  [-5400, '5 s ago'],
  [-90_000, '1 min ago'],
  [-7_200_000, '2 h ago'],
  [-86_400_000 * 2, '2 d ago'],
  [30_000, 'in 30 s'],
])('a distance of %d ms reads as %s', (distance, text) => {
  expect(relativeTime(1_000_000_000 + distance, 1_000_000_000)).toBe(text)
})

test('an absolute time names its zone', () => {
  expect(absoluteTime(Date.UTC(2026, 10, 21, 12, 18, 29), true)).toMatch(/2026.*12:18:29.*UTC/)
})

test('a time of day has its date when that is not today', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  expect(clockTime(Date.UTC(2026, 10, 21, 3, 4), now, true)).toBe('03:04')
  expect(clockTime(Date.UTC(2026, 10, 20, 3, 4), now, true)).toMatch(/20.*03:04/)
})

test.each([
  [1, '100 %'],
  [0.999_99, '99.99 %'],
  [0.9912, '99.12 %'],
  [0.5, '50.0 %'],
  [0, '0.0 %'],
])('a share of %d reads as %s', (share, text) => {
  expect(percentText(share)).toBe(text)
})
