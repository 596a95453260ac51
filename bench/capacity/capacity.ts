import { root } from '../../e2e/product.ts'
import { metric } from '../fleet.ts'
import { UsageError, type BenchOptions } from '../options.ts'
import { figure, type BenchRow, type ReportRow } from '../row.ts'
import { pause } from '../readings/statistics.ts'
import { periodSeconds } from '../subjects/subject.ts'
import { vedette, type OwnedSession } from '../subjects/vedette.ts'
import { startTarget, type Target } from '../target/target-process.ts'
import { cores, measureStep, type Step } from './measure-step.ts'
import { greatestThatHolds } from './search.ts'

const usual = { from: 1000, to: 12_000, roundSeconds: 2 * periodSeconds, warmSeconds: 30, minutes: 30 }
const step = 500
const goal = 6000
const drainWithinMs = 60_000

type Plan = typeof usual

/** The greatest fleet of checks of 20 s that loses no run, stores each slot once, and starts runs in time. */
export async function capacity(report: ReportRow, options: BenchOptions): Promise<void> {
  const plan = { ...usual, from: Math.min(usual.from, options.to ?? usual.to), ...options }
  if (plan.from > plan.to) throw new UsageError(`--from must be at most --to; they are ${plan.from} and ${plan.to}.`)
  const target = await startTarget()
  const subject = await vedette('vedette', root, target.port)
  try {
    const session = await subject.start()
    try {
      for (const row of await search(session, target, plan)) report(row)
    } finally {
      await session.stop()
    }
  } finally {
    target.stop()
    await subject.remove()
  }
}

async function search(session: OwnedSession, target: Target, plan: Plan): Promise<BenchRow[]> {
  const steps: Step[] = []
  const end = performance.now() + plan.minutes * 60_000
  let failure: string | undefined
  const holds = async (checks: number): Promise<boolean> => {
    console.error(`capacity: ${checks} checks`)
    try {
      const found = await twiceUnlessHeld(session, target, checks, plan)
      steps.push(found)
      return found.broken.length === 0
    } catch (error) {
      failure = `${checks} checks could not be measured: ${String(error)}. The product printed last:\n${session.lastOutput()}`
      return false
    }
  }
  const isOver = () => failure !== undefined || performance.now() > end
  const held = await greatestThatHolds(holds, { ...plan, step, isOver })
  if (failure !== undefined) console.error(failure)
  else if (isOver()) console.error(`The search ended after ${plan.minutes} minutes: a greater fleet may hold.`)
  return rowsOf(held, steps)
}

/** A machine has bad moments: a number is too great when it was not held twice. */
async function twiceUnlessHeld(session: OwnedSession, target: Target, checks: number, plan: Plan): Promise<Step> {
  await session.hold(checks)
  await drained(session)
  await pause(plan.warmSeconds * 1000)
  const first = await measureStep(session, target, checks, plan.roundSeconds)
  if (first.broken.length === 0) return first
  await drained(session)
  return measureStep(session, target, checks, plan.roundSeconds)
}

/** Waits until no run waits for an agent, as after a fleet that was too great. */
async function drained({ own }: OwnedSession): Promise<void> {
  const end = performance.now() + drainWithinMs
  while ((await metric(own, 'vedette_queue_waiting_runs')) > 0 && performance.now() < end) await pause(1000)
}

function rowsOf(held: number, steps: readonly Step[]): BenchRow[] {
  const row = (name: string, value: number, unit: string) => figure('capacity', name, value, unit)
  const best = steps.findLast(({ checks }) => checks === held)
  const [tooMany] = steps.filter(({ broken }) => broken.length > 0).toSorted((a, b) => a.checks - b.checks)
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
      row('CPU there, all processes', cores(best.usage, 'subjectMs'), 'cores'),
      row('CPU there of the target', cores(best.usage, 'targetMs'), 'cores'),
      row('CPU there of the bench, which follows the results', cores(best.usage, 'benchMs'), 'cores'),
    )
  if (tooMany !== undefined) rows.push(row(`too many: ${tooMany.broken.join('; ')}`, tooMany.checks, 'checks'))
  return rows
}
