import { root } from '../../e2e/product.ts'
import { listenLive } from '../live-events.ts'
import { metric } from '../fleet.ts'
import { UsageError, type BenchOptions } from '../options.ts'
import { cpuBetween, readProcesses } from '../processes.ts'
import { figure, type BenchRow, type ReportRow } from '../row.ts'
import { pause, sum } from '../statistics.ts'
import { periodSeconds } from '../subjects/subject.ts'
import { vedette, type OwnedSession } from '../subjects/vedette.ts'
import { startTarget, type Target } from '../target-process.ts'
import { greatestThatHolds } from './search.ts'
import { truthOf, type StoredResult, type Truth } from './truth.ts'

const usual = { from: 1000, to: 12_000, roundSeconds: 2 * periodSeconds, warmSeconds: 30 }
const step = 500
const goal = 6000
/** Reports, batches and the stream of events have this long after the last due time. */
const settleMs = 10_000
const drainWithinMs = 120_000

interface Step extends Truth {
  checks: number
  /** Shares of one core. */
  cores: { product: number; target: number; bench: number }
}

/** The greatest fleet of checks of 20 s that loses no run, stores each slot once, and starts runs in time. */
export async function capacity(report: ReportRow, options: BenchOptions): Promise<void> {
  const { from, to, ...plan } = { ...usual, ...options }
  if (from > to) throw new UsageError(`--from must be at most --to; they are ${from} and ${to}.`)
  const target = await startTarget()
  const subject = await vedette('vedette', root, target.port)
  const steps: Step[] = []
  try {
    const session = await subject.start()
    try {
      const holds = async (checks: number): Promise<boolean> => {
        const found = await twiceIfBroken(session, target, checks, plan)
        steps.push(found)
        return found.broken.length === 0
      }
      const held = await greatestThatHolds(holds, { from, to, step })
      for (const row of rowsOf(held, steps)) report(row)
    } finally {
      await session.stop()
    }
  } finally {
    target.stop()
    await subject.remove()
  }
}

type Plan = Pick<typeof usual, 'roundSeconds' | 'warmSeconds'>

/** A machine has bad moments: a number counts as too great when it broke twice. */
async function twiceIfBroken(session: OwnedSession, target: Target, checks: number, plan: Plan): Promise<Step> {
  console.error(`capacity: bringing the fleet to ${checks} checks`)
  await session.hold(checks)
  await drained(session)
  await pause(plan.warmSeconds * 1000)
  const first = await measure(session, target, checks, plan.roundSeconds)
  if (first.broken.length === 0) return first
  console.error(`capacity: once more`)
  await drained(session)
  return measure(session, target, checks, plan.roundSeconds)
}

/** Waits until no run waits for an agent, as after a fleet that was too great. */
async function drained(session: OwnedSession): Promise<void> {
  const end = Date.now() + drainWithinMs
  while ((await metric(session.own, 'vedette_queue_waiting_runs')) > 0 && Date.now() < end) await pause(1000)
}

async function measure(session: OwnedSession, target: Target, checks: number, seconds: number): Promise<Step> {
  const { own, pid } = session
  const results: StoredResult[] = []
  await target.arrivals()
  const live = listenLive(own.url, own.apiKey, (event) => {
    if (event.kind !== 'result' || event.resultType !== 'FINAL') return
    results.push({ checkId: event.checkId, dueAt: Date.parse(event.dueAt), passed: event.outcome === 'pass' })
  })
  // Slots count that are due once the stream is open.
  await pause(1000)
  const before = { product: readProcesses(pid), target: readProcesses(target.pid), bench: process.cpuUsage() }
  const from = Date.now()
  await pause(seconds * 1000)
  const to = Date.now()
  const bench = process.cpuUsage(before.bench)
  const used = (was: typeof before.product, of: number) =>
    sum(cpuBetween(was, readProcesses(of)).map(({ cpuMs }) => cpuMs)) / (to - from)
  const cores = {
    product: used(before.product, pid),
    target: used(before.target, target.pid),
    bench: (bench.user + bench.system) / 1000 / (to - from),
  }
  await pause(settleMs)
  const failure = live.failure()
  live.close()
  const truth = truthOf({ ids: own.ids(), from, to, results, arrivals: await target.arrivals() })
  const broken = failure === undefined ? truth.broken : [...truth.broken, `events could not be followed: ${failure}`]
  const found = { checks, cores, ...truth, broken }
  console.error(`capacity: ${checks} checks: ${summaryOf(found)}`)
  return found
}

const summaryOf = ({ slots, p50, p99, broken, cores }: Step): string =>
  `${slots} slots, ${broken.length === 0 ? 'held' : `broken: ${broken.join('; ')}`} ` +
  `(p50 ${p50} ms, p99 ${p99} ms; cores: product ${cores.product.toFixed(2)}, target ${cores.target.toFixed(2)}, bench ${cores.bench.toFixed(2)})`

function rowsOf(held: number, steps: readonly Step[]): BenchRow[] {
  const row = (name: string, value: number, unit: string) => figure('capacity', name, value, unit)
  const best = steps.findLast(({ checks }) => checks === held)
  const broke = steps.filter(({ broken }) => broken.length > 0).toSorted((a, b) => a.checks - b.checks)[0]
  const rows: BenchRow[] = [
    {
      ...row('checks of 20 s held at full truth', held, 'checks'),
      goal: `≥ ${goal} checks (stretch 10000)`,
      met: held >= goal,
    },
  ]
  if (best !== undefined)
    rows.push(
      row('lateness at the target there, p50', best.p50, 'ms'),
      row('lateness at the target there, p99', best.p99, 'ms'),
      row('CPU there, server + agent + database', best.cores.product, 'cores'),
      row('CPU there of the target', best.cores.target, 'cores'),
      row('CPU there of the bench, which follows the results', best.cores.bench, 'cores'),
    )
  if (broke !== undefined) rows.push(row(`too many: ${broke.broken.join('; ')}`, broke.checks, 'checks'))
  return rows
}
