import type { CheckHistory } from '@vedette/wire'
import { locationsShown } from './chart-colours.ts'

/** One line of the chart, over the times of the whole chart. */
interface Line {
  location: string
  figure: 'p50' | 'p95'
  values: (number | null)[]
}

export interface ChartData {
  /** Middle of each bucket, epoch seconds; of the newest at most the end of the range. */
  times: number[]
  lines: Line[]
}

/** The buckets as lines over one common time axis: the median of each location, and its 95th percentile. */
export function chartData({ buckets, bucketMs, locations, to }: CheckHistory): ChartData {
  const shown = locations.slice(0, locationsShown)
  const times = [...new Set(buckets.map(({ at }) => Date.parse(at)))].toSorted((a, b) => a - b)
  const place = new Map(times.map((time, index) => [time, index]))
  const lines = shown.flatMap((location) =>
    (['p50', 'p95'] as const).map((figure) => ({
      location,
      figure,
      values: Array.from<number | null>({ length: times.length }).fill(null),
    })),
  )
  const lineOf = new Map(lines.map((line) => [`${line.location} ${line.figure}`, line]))
  for (const bucket of buckets) {
    const index = place.get(Date.parse(bucket.at))
    if (index === undefined) continue
    for (const figure of ['p50', 'p95'] as const) {
      const line = lineOf.get(`${bucket.location} ${figure}`)
      if (line) line.values[index] = bucket[figure]
    }
  }
  return { times: times.map((time) => middleOf(time, bucketMs, to)), lines }
}

/** Where a bucket is drawn, epoch seconds. */
export const middleOf = (startMs: number, bucketMs: number, to: string): number =>
  Math.min(startMs + bucketMs / 2, Date.parse(to)) / 1000

/** The bucket of a location at a time, epoch seconds; undefined where nothing was measured. */
export function bucketAt(history: CheckHistory, location: string, seconds: number) {
  return history.buckets.find((bucket) => bucket.location === location && holds(bucket, history.bucketMs, seconds))
}

/** Whether a bucket holds a time, epoch seconds. */
export function holds({ at }: { at: string }, bucketMs: number, seconds: number): boolean {
  const start = Date.parse(at)
  return start <= seconds * 1000 && seconds * 1000 < start + bucketMs
}

/** Times of each kind of trouble in epoch milliseconds: those of several locations that overlap are one band, of one shade. */
export function mergedSpans(spans: CheckHistory['spans']) {
  const merged: { kind: CheckHistory['spans'][number]['kind']; from: number; to: number }[] = []
  const inOrder = spans.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))
  for (const { kind, ...span } of inOrder) {
    const [from, to] = [Date.parse(span.from), Date.parse(span.to)]
    const before = merged.findLast((each) => each.kind === kind)
    if (before && from <= before.to) before.to = Math.max(before.to, to)
    else merged.push({ kind, from, to })
  }
  return merged
}
