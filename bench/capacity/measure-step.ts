import { listenLive } from '../live-events.ts'
import { pause } from '../readings/statistics.ts'
import type { OwnedSession } from '../subjects/vedette.ts'
import type { Target } from '../target/target-process.ts'
import { startUsage, warnUnlessQuiet, type Usage } from '../readings/usage.ts'
import { listSample } from './list-sample.ts'
import { truthOf, type StoredResult, type Truth } from './truth.ts'

/** What was found of a fleet of some size. */
export interface Step extends Truth {
  checks: number
  usage: Usage
}

/** Reports, batches and the stream of events have this long after the last due time. */
const settleMs = 10_000

/** Follows a fleet that runs: what it was to do in some seconds, what it did and stored. */
export async function measureStep(
  { own, pid }: OwnedSession,
  target: Target,
  checks: number,
  seconds: number,
): Promise<Step> {
  const results: StoredResult[] = []
  await target.arrivals()
  const live = listenLive(own.url, own.apiKey, (event) => {
    if (event.kind !== 'result' || event.resultType !== 'FINAL') return
    results.push({ checkId: event.checkId, dueAt: Date.parse(event.dueAt), passed: event.outcome === 'pass' })
  })
  // Slots count that are due once the stream is open.
  await pause(1000)
  const usageSince = startUsage(pid, target.pid)
  const from = Date.now()
  await pause(seconds * 1000)
  const to = Date.now()
  const usage = usageSince()
  await pause(settleMs)
  const failure = live.failure()
  live.close()
  const arrivals = await target.arrivals()
  const listed = await listSample(own, from, to)
  const truth = truthOf({ ids: own.ids(), from, to, results, arrivals, listed })
  const broken = failure === undefined ? truth.broken : [...truth.broken, `events could not be followed: ${failure}`]
  const step = { checks, usage, ...truth, broken }
  console.error(`  ${summaryOf(step)}`)
  warnUnlessQuiet(usage)
  return step
}

/** Share of one core. */
export const cores = (usage: Usage, of: 'subjectMs' | 'targetMs' | 'benchMs'): number =>
  usage[of] / 1000 / usage.seconds

function summaryOf({ slots, p50, p99, broken, usage }: Step): string {
  const used = `product ${cores(usage, 'subjectMs').toFixed(2)}, target ${cores(usage, 'targetMs').toFixed(2)}, bench ${cores(usage, 'benchMs').toFixed(2)}`
  const verdict = broken.length === 0 ? 'held' : `does not hold: ${broken.join('; ')}`
  return `${slots} slots, ${verdict} (p50 ${p50} ms, p99 ${p99} ms; cores: ${used})`
}
