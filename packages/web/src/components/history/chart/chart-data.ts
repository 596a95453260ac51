import type { CheckHistory } from '@vedette/wire'
import { locationsShown } from './chart-colours.ts'

/** One line of the chart, over the times of the whole chart. */
interface Line {
  location: string
  figure: 'p50' | 'p95'
  values: (number | null)[]
}

export interface ChartData {
  /** Middle of each bucket, epoch seconds. */
  times: number[]
  lines: Line[]
}

/** The buckets as lines over one common time axis: the median of each location, and its 95th percentile. */
export function chartData({ buckets, bucketMs, locations }: CheckHistory): ChartData {
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
  return { times: times.map((time) => (time + bucketMs / 2) / 1000), lines }
}

/** The bucket of a location at a time, epoch seconds; undefined where nothing was measured. */
export function bucketAt(history: CheckHistory, location: string, seconds: number) {
  return history.buckets.find(
    (bucket) =>
      bucket.location === location &&
      Date.parse(bucket.at) <= seconds * 1000 &&
      seconds * 1000 < Date.parse(bucket.at) + history.bucketMs,
  )
}
