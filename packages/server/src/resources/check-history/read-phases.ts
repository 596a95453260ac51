import { checkTypeOf, phasesOf } from '@vedette/checks'
import { longestPhaseRange, type CheckPhases } from '@vedette/wire'
import { invalidField } from '../../api-error.ts'
import type { Database } from '../../db/database.ts'
import { historyRange, partsOf, type HistoryRange } from './history-range.ts'
import { expectedRunsPerMs } from './read-history.ts'
import { readMetrics, readWatched, type MeasuredRun } from './store.ts'

/** The last six hours when nothing is sent. Throws a 400 for a range that is empty or too long. */
export function phaseRange(sent: { from?: number | undefined; to?: number | undefined }, nowMs: number): HistoryRange {
  const to = sent.to ?? nowMs
  const range = historyRange({ from: sent.from ?? to - longestPhaseRange * 1000, to }, nowMs)
  if (range.to - range.from > longestPhaseRange * 1000) {
    const hours = longestPhaseRange / 3600
    throw invalidField(
      'from',
      `must be at most ${hours} hours before "to"; phases are kept with whole results`,
      'query',
    )
  }
  return range
}

// A whole result is read for each run: this many take about ten milliseconds.
const runsAtOnce = 250

/** Undefined when the account has no such check. */
export async function readPhases(
  db: Database,
  { account, checkId, ...range }: HistoryRange & { account: string; checkId: string },
): Promise<CheckPhases | undefined> {
  const watched = await readWatched(db.pool, account, checkId)
  if (!watched) return undefined
  const phases = phasesOf(checkTypeOf(watched.type)?.resultView ?? [])
  const buckets: CheckPhases['buckets'] = []
  for (const part of phases.length === 0 ? [] : partsOf(range, expectedRunsPerMs(watched), runsAtOnce)) {
    const runs = await readMetrics(db.pool, checkId, part)
    buckets.push(...phaseBuckets(runs, part.from, range.bucketMs, phases))
  }
  const [from, to] = [new Date(range.from).toISOString(), new Date(range.to).toISOString()]
  return { from, to, bucketMs: range.bucketMs, phases: phases.map(({ name, label }) => ({ name, label })), buckets }
}

/** Means of every phase by bucket, oldest first. Medians of phases would not add up to the time of any run. */
function phaseBuckets(
  runs: readonly MeasuredRun[],
  fromMs: number,
  bucketMs: number,
  phases: readonly { name: string }[],
): CheckPhases['buckets'] {
  const measured = runs.filter(({ metrics }) => phases.some(({ name }) => typeof metrics[name] === 'number'))
  const byBucket = new Map<number, MeasuredRun[]>()
  for (const run of measured) {
    const at = Math.floor((fromMs + Math.round(run.at * 1000)) / bucketMs) * bucketMs
    byBucket.set(at, [...(byBucket.get(at) ?? []), run])
  }
  return [...byBucket]
    .toSorted(([a], [b]) => a - b)
    .map(([at, of]) => ({
      at: new Date(at).toISOString(),
      runs: of.length,
      mean: phases.map(({ name }) =>
        meanOf(of.flatMap(({ metrics }) => (typeof metrics[name] === 'number' ? metrics[name] : []))),
      ),
    }))
}

const meanOf = (times: readonly number[]): number | null =>
  times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / times.length
