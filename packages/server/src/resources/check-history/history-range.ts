import { invalidField } from '../../api-error.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const mostDays = 8
const mostBuckets = 300
/** The last one is wide enough for the longest range. */
const widths = [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, hour]

/** Times are epoch milliseconds; `from` belongs to the range, `to` does not. */
export interface HistoryRange {
  from: number
  to: number
  bucketMs: number
}

/** The last 24 hours when nothing is sent. Throws a 400 for a range that is empty or too long. */
export function historyRange(
  sent: { from?: number | undefined; to?: number | undefined },
  nowMs: number,
): HistoryRange {
  const to = sent.to ?? nowMs
  const from = sent.from ?? to - day
  if (from >= to) throw invalidField('from', 'must be before "to"', 'query')
  if (to - from > mostDays * day) {
    throw invalidField('from', `must be at most ${mostDays} days before "to"; ask for less at a time`, 'query')
  }
  return { from, to, bucketMs: widths.find((width) => (to - from) / width <= mostBuckets) ?? hour }
}

/** About ten milliseconds of the database, which does nothing else meanwhile when it is embedded. */
const rowsAtOnce = 5000

/**
 * Parts of the range that are read one after the other, so that other queries run in between: each ends with a bucket, and
 * is at most a day. `runsPerMs` is expected.
 */
export function partsOf(
  { from, to, bucketMs }: HistoryRange,
  runsPerMs: number,
  runsAtOnce: number = rowsAtOnce,
): { from: number; to: number }[] {
  const buckets = Math.max(1, Math.floor(Math.min(day, runsAtOnce / runsPerMs) / bucketMs))
  const length = buckets * bucketMs
  const first = Math.floor(from / bucketMs) * bucketMs
  return Array.from({ length: Math.ceil((to - first) / length) }, (_, index) => ({
    from: Math.max(from, first + index * length),
    to: Math.min(to, first + (index + 1) * length),
  }))
}
