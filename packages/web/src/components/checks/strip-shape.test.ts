import type { StripRun } from '@vedette/wire'
import { expect, test } from 'vitest'
import { stripSentence, stripShape } from './strip-shape.ts'

const start = Date.UTC(2026, 0, 5, 12)
const run = (minute: number, more: Partial<StripRun> = {}): StripRun => ({
  id: String(minute),
  at: new Date(start + minute * 60_000).toISOString(),
  outcome: 'pass',
  degraded: false,
  ms: 100,
  location: 'eu-west-1',
  retries: 0,
  ...more,
})
const size = { width: 100, height: 20 }
const xs = (path = '') => [...path.matchAll(/M([\d.]+)/g)].map((match) => Number(match[1]))

test('runs stand where their time is, so that a pause is seen as one', () => {
  const { bars, gaps } = stripShape([run(0), run(1), run(9), run(10)], 60_000, size)
  const [first = 0, second = 0, third = 0, last = 0] = xs(bars.pass)
  expect(first).toBe(0)
  expect(second - first).toBeCloseTo(last - third, 0)
  expect(third - second).toBeGreaterThan(5 * (second - first))
  expect(gaps).toHaveLength(1)
})

test('without a period nothing counts as missing', () => {
  expect(stripShape([run(0), run(99)], null, size).gaps).toEqual([])
})

test('a failed run is drawn apart from passed ones, and a retried one has a mark', () => {
  const shape = stripShape([run(0), run(1, { outcome: 'fail', ms: 5 }), run(2, { retries: 1 })], 60_000, size)
  expect(xs(shape.bars.pass)).toHaveLength(2)
  expect(xs(shape.bars.fail)).toHaveLength(1)
  expect(xs(shape.retries)).toHaveLength(1)
})

test('the sentence counts what is seen, retries included', () => {
  expect(stripSentence([])).toBe('No runs yet')
  expect(stripSentence([run(0)])).toBe('Last 1 run: 1 passed')
  expect(stripSentence([run(0), run(1, { outcome: 'fail' }), run(2, { retries: 2, degraded: true })])).toBe(
    'Last 3 runs: 1 failed, 1 degraded, 1 passed; 1 needed a retry',
  )
})
