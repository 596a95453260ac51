import type { CheckHistory } from '@vedette/wire'
import { expect, test } from 'vitest'
import { bucketAt, chartData } from './chart-data.ts'

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
  locations: ['eu', 'us'],
  buckets: [bucket(0, 'eu', 10), bucket(2, 'us', 30), bucket(2, 'eu', null)],
} as unknown as CheckHistory

test('locations share a time axis; where one has nothing its line has a hole', () => {
  const { times, lines } = chartData(history)
  expect(times).toEqual([start / 1000 + 30, start / 1000 + 150])
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
