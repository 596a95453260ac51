import type { CheckPhases } from '@vedette/wire'
import { expect, test } from 'vitest'
import { plottedLines, plottedPhases } from './plotted.ts'

const start = Date.UTC(2026, 0, 5)
const phases: CheckPhases = {
  from: new Date(start).toISOString(),
  to: new Date(start + 120_000).toISOString(),
  bucketMs: 60_000,
  phases: [
    { name: 'dns', label: 'DNS' },
    { name: 'tcp', label: 'TCP' },
    { name: 'firstByte', label: 'First byte' },
  ],
  buckets: [
    { at: new Date(start).toISOString(), runs: 2, mean: [1, 2, 30] },
    { at: new Date(start + 60_000).toISOString(), runs: 1, mean: [4, null, 50] },
  ],
}

test('phases stand one upon the other, in the middle of their bucket; one that was not measured takes no room', () => {
  const { columns, series } = plottedPhases(phases)
  expect(columns).toEqual([
    [start / 1000 + 30, start / 1000 + 90],
    [33, 54],
    [3, 4],
    [1, 4],
  ])
  expect(series.map(({ label }) => label)).toEqual(['First byte', 'TCP', 'DNS'])
  expect(new Set(series.map(({ fill }) => fill)).size).toBe(3)
})

test('a location is two lines of one colour, the 95th percentile the thinner one', () => {
  const values = [1]
  const lines = (['eu', 'us'] as const).flatMap((location) =>
    (['p50', 'p95'] as const).map((figure) => ({ location, figure, values })),
  )
  const { columns, series } = plottedLines({ times: [7], lines })
  expect(columns).toEqual([[7], [1], [1], [1], [1]])
  expect(series.map(({ width }) => width)).toEqual([2, 1, 2, 1])
  expect(series[0]?.stroke).toBe(series[1]?.stroke)
  expect(series[0]?.stroke).not.toBe(series[2]?.stroke)
})
