import type { HistorySummary } from '@vedette/wire'
import { bucketsOf, percentile, sortedTimes, type BucketNumbers } from './buckets.ts'
import { runsOf, type Run, type RunOutcome } from './runs.ts'
import { stretchFinder, type Stretch } from './spans.ts'
import type { RunsOfLocation } from './store.ts'

/** What is made of the runs of one location. */
interface OfLocation {
  /** Id of the location; null for passive checks. */
  location: string | null
  buckets: BucketNumbers[]
  stretches: Stretch[]
}

/** Takes the runs of a range part by part, oldest first; no bucket may be divided between parts. */
export interface Digest {
  take(runs: readonly RunsOfLocation[], fromMs: number): void
  summary(): HistorySummary
  locations(): OfLocation[]
}

export function historyDigest(bucketMs: number): Digest {
  const found = new Map<string | null, { buckets: BucketNumbers[]; finder: ReturnType<typeof stretchFinder> }>()
  const counts: Record<RunOutcome, number> = { p: 0, d: 0, f: 0, u: 0 }
  const times: number[] = []
  let retried = 0

  function count(run: Run): void {
    counts[run.outcome]++
    if (run.ms !== null) times.push(run.ms)
  }

  return {
    take(parts, fromMs) {
      for (const part of parts) {
        const of = found.get(part.location) ?? { buckets: [], finder: stretchFinder(bucketMs) }
        found.set(part.location, of)
        const runs = runsOf(part, fromMs)
        for (const run of runs) {
          count(run)
          of.finder.follow(run)
        }
        of.buckets.push(...bucketsOf(runs, bucketMs))
        retried += part.retried
      }
    },
    summary: () => summaryOf(counts, retried, times),
    locations: () =>
      [...found].map(([location, { buckets, finder }]) => ({ location, buckets, stretches: finder.stretches() })),
  }
}

function summaryOf(counts: Record<RunOutcome, number>, retried: number, times: readonly number[]): HistorySummary {
  const { p: passed, d: degraded, f: failed, u: unknown } = counts
  const known = passed + degraded + failed
  const sorted = sortedTimes(times)
  return {
    runs: known + unknown,
    passed,
    degraded,
    failed,
    unknown,
    retried,
    uptime: known === 0 ? null : (passed + degraded) / known,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
  }
}
