import type { Run, RunOutcome } from './runs.ts'

/** Numbers of the runs of one bucket. */
export interface BucketNumbers {
  /** When it begins, epoch milliseconds. */
  at: number
  runs: number
  failed: number
  degraded: number
  unknown: number
  p50: number | null
  p95: number | null
  max: number | null
}

/** Runs of one location, oldest first, by bucket. */
export function bucketsOf(runs: readonly Run[], bucketMs: number): BucketNumbers[] {
  const buckets = new Map<number, Run[]>()
  for (const run of runs) {
    const at = Math.floor(run.at / bucketMs) * bucketMs
    const bucket = buckets.get(at)
    if (bucket) bucket.push(run)
    else buckets.set(at, [run])
  }
  return [...buckets].map(([at, of]) => numbersOf(at, of))
}

function numbersOf(at: number, runs: readonly Run[]): BucketNumbers {
  const count = (outcome: RunOutcome) => runs.filter((run) => run.outcome === outcome).length
  const times = sortedTimes(runs.flatMap(({ ms }) => ms ?? []))
  return {
    at,
    runs: runs.length,
    failed: count('f'),
    degraded: count('d'),
    unknown: count('u'),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    max: times.at(-1) ?? null,
  }
}

export const sortedTimes = (times: readonly number[]): Float64Array => Float64Array.from(times).sort()

/** The smallest time that at least this share of the sorted times does not exceed. */
export const percentile = (sorted: Float64Array, share: number): number | null =>
  sorted[Math.ceil(share * sorted.length) - 1] ?? null
