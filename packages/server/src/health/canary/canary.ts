import type { CanaryAnswer, Clock, LocationId } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { CanaryFact } from '../facts/facts.ts'
import { thresholds } from '../troubles/thresholds.ts'
import { canaryCheckId } from './canary-check.ts'
import { canaryFailure, stepsOf, type CanaryRun } from './canary-steps.ts'
import { ensureCanary, readCanaryArrival, readCanaryRun, resetCanary } from './store.ts'

export interface CanaryOptions {
  db: Database
  clock: Clock
  isOn: boolean
  /** Locations that the built-in agent serves, if there are any. */
  locations: () => Promise<ReadonlySet<LocationId>>
  schedule: {
    isLeading(): boolean
    checkChanged(checkId: string): Promise<void>
    requestRun(checkId: string, source: 'SCHEDULE_NOW'): Promise<{ checkRunId: number } | undefined>
  }
}

/** A check that fails once a day on purpose, and must end as an accepted notification to Vedette itself. */
export interface Canary {
  start(): Promise<void>
  /** Runs it now. Undefined when it is off. */
  run(): Promise<CanaryAnswer | undefined>
  /** How far the run of this due time has come. */
  read(checkRunId: number): Promise<CanaryAnswer>
  /** For the signal; null when it is off. */
  condition(): Promise<CanaryFact | null>
}

/** An overdue one is started again after this long. */
const againMs = 3_600_000

export function canary({ db, clock, isOn, locations, schedule }: CanaryOptions): Canary {
  const read = async (checkRunId: number) => {
    const due = new Date(checkRunId)
    return answerOf((await readCanaryRun(db.pool, { dueAt: due })) ?? notYet(due), clock.now())
  }
  const request = oneAtATime({ db, schedule, read })
  const overdue = overdueCanary({ clock, schedule, request })
  return {
    async start() {
      // Without the built-in agent any location will do: its absence is what the canary then shows.
      const [location = 'eu-central-1'] = await locations()
      const at = new Date(clock.now())
      await db.transaction((client) => ensureCanary(client, { location, isOn, at }))
      await schedule.checkChanged(canaryCheckId)
      if (isOn) await overdue.look(await readCanaryArrival(db.pool, clock.now()))
    },
    run: () => (isOn ? request() : Promise.resolve(undefined)),
    read,
    async condition() {
      if (!isOn) return null
      const nowMs = clock.now()
      const [last, acceptedAt] = [await readCanaryRun(db.pool, { nowMs }), await readCanaryArrival(db.pool, nowMs)]
      const failure = last && canaryFailure(last, nowMs)
      if (last?.accepted_at || failure !== undefined) await resetCanary(db.pool)
      const { awaitedMs, problem } = await overdue.look(acceptedAt)
      const fact = factOf(failure, last)
      return { acceptedAt, ...fact, reason: fact.reason ?? problem, awaitedMs }
    },
  }
}

const factOf = (failure: ReturnType<typeof canaryFailure>, last: CanaryRun | undefined) => ({
  failure: failure?.text ?? null,
  reason: failure?.reason ?? null,
  failedAt: failure === undefined ? null : (last?.due_at.getTime() ?? null),
})

type Request = () => Promise<CanaryAnswer | undefined>

/**
 * Starts a run, or answers with the one that is under way: the failure of a second one would not be alerted, because
 * the check is failing already.
 */
function oneAtATime({ db, schedule, read }: Pick<CanaryOptions, 'db' | 'schedule'> & Pick<Canary, 'read'>): Request {
  let latest: number | undefined
  let starting: Promise<CanaryAnswer | undefined> | undefined
  const start: Request = async () => {
    const before = latest === undefined ? undefined : await read(latest)
    if (before?.outcome === 'running') return before
    await resetCanary(db.pool)
    const started = await schedule.requestRun(canaryCheckId, 'SCHEDULE_NOW')
    latest = started?.checkRunId
    return started && read(started.checkRunId)
  }
  return () => (starting ??= start().finally(() => (starting = undefined)))
}

interface Overdue extends Pick<CanaryOptions, 'clock' | 'schedule'> {
  request: Request
}

/** For how long an overdue one has been awaited, null when none is overdue, and why none could be started. */
interface Awaited {
  awaitedMs: number | null
  problem: string | null
}

/** Starts one when none has arrived for long: the first one, and after this process was off, or the clock was set. */
function overdueCanary({ clock, schedule, request }: Overdue) {
  let since: number | undefined
  let requestedAt = -Infinity
  /** One that could not be started is tried again at the next look, and awaited all the same. */
  const tryToStart = async (now: number): Promise<string | null> => {
    try {
      if ((await request()) !== undefined) requestedAt = now
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return {
    async look(acceptedAt: number | null): Promise<Awaited> {
      const isOverdue = acceptedAt === null || clock.now() - acceptedAt > thresholds.canaryAgeMs
      if (!isOverdue) requestedAt = -Infinity
      if (!isOverdue || !schedule.isLeading()) {
        since = undefined
        return { awaitedMs: null, problem: null }
      }
      const now = clock.monotonic()
      since ??= now
      const problem = now - requestedAt >= againMs ? await tryToStart(now) : null
      return { awaitedMs: now - since, problem }
    },
  }
}

/** Nothing of the run is stored yet. */
const notYet = (due: Date): CanaryRun => ({
  due_at: due,
  started_at: null,
  stopped_at: null,
  received_at: null,
  outcome: null,
  cause: null,
  decided_at: null,
  queued_at: null,
  accepted_at: null,
  notification_result: null,
})

function answerOf(run: CanaryRun, nowMs: number): CanaryAnswer {
  const failed = canaryFailure(run, nowMs)
  // Only the operator asks for it.
  const failure = failed === undefined ? null : [failed.text, failed.reason].filter(Boolean).join(' ')
  const outcome = run.accepted_at !== null ? 'accepted' : failure === null ? 'running' : 'failed'
  return { checkRunId: run.due_at.getTime(), outcome, failure, steps: stepsOf(run) }
}
