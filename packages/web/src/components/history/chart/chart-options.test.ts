import type { CheckHistory } from '@vedette/wire'
import { expect, test } from 'vitest'
import { shownSpan } from './chart-options.ts'

const start = Date.UTC(2026, 0, 5)
const hour = 3_600_000
const at = (hours: number) => new Date(start + hours * hour).toISOString()
const span = (...starts: number[]) => {
  const buckets = starts.map((hours) => ({ at: at(hours) })) as CheckHistory['buckets']
  const shown = shownSpan({ from: at(0), to: at(6), buckets, spans: [] })
  return [shown.from, shown.to].map((seconds) => (seconds * 1000 - start) / hour)
}

test('a check as old as the range is shown over all of it', () => {
  expect(span(0, 3, 5)).toEqual([0, 6])
  expect(span()).toEqual([0, 6])
})

test('a younger check is shown since its first run, a new one over a quarter of an hour', () => {
  expect(span(4, 5)).toEqual([3.9, 6])
  expect(span(5.99)).toEqual([5.75, 6])
})
