import type { CheckHistory } from '@vedette/wire'
import { expect, test } from 'vitest'
import { bucketAt, chartData, mergedSpans } from './chart-data.ts'

const minute = 60_000
const start = Date.UTC(2026, 0, 5, 12)
const bucket = (at: number, location: string, p50: number | null) => ({
  at: new Date(start + at * minute).toISOString(),
  location,
  runs: 1,
  failed: 0,
  degraded: 0,
  unknown: 0,
  p50,
  p95: p50,
  max: p50,
})
const history = {
  bucketMs: minute,
  to: new Date(start + 2.25 * minute).toISOString(),
  locations: ['eu', 'us'],
  buckets: [bucket(0, 'eu', 10), bucket(2, 'us', 30), bucket(2, 'eu', null)],
} as unknown as CheckHistory

test('locations share a time axis, which ends with the range; where one has nothing its line has a hole', () => {
  const { times, lines } = chartData(history)
  expect(times).toEqual([start / 1000 + 30, start / 1000 + 135])
  expect(lines.map(({ location, figure, values }) => [location, figure, values])).toEqual([
    ['eu', 'p50', [10, null]],
    ['eu', 'p95', [10, null]],
    ['us', 'p50', [null, 30]],
    ['us', 'p95', [null, 30]],
  ])
})

test('a point of the chart leads to its bucket', () => {
  expect(bucketAt(history, 'us', start / 1000 + 150)?.p50).toBe(30)
  expect(bucketAt(history, 'us', start / 1000 + 30)).toBeUndefined()
})

test('times of trouble of several locations that overlap are one band of each kind', () => {
  const span = (kind: 'failing' | 'degraded', from: number, to: number) => ({
    kind,
    from: new Date(start + from).toISOString(),
    to: new Date(start + to).toISOString(),
  })
  const spans = [span('failing', 10, 30), span('degraded', 15, 40), span('failing', 0, 20), span('failing', 50, 60)]
  expect(mergedSpans(spans as CheckHistory['spans'])).toEqual([
    { kind: 'failing', from: start, to: start + 30 },
    { kind: 'degraded', from: start + 15, to: start + 40 },
    { kind: 'failing', from: start + 50, to: start + 60 },
  ])
})
