import type { CanaryAnswer, Clock, LocationId } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { CanaryFact } from '../facts/facts.ts'
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

export function canary({ db, clock, isOn, locations, schedule }: CanaryOptions): Canary {
  const read = async (checkRunId: number) => {
    const due = new Date(checkRunId)
    return answerOf((await readCanaryRun(db.pool, due)) ?? notYet(due), clock.now())
  }
  return {
    async start() {
      // Without the built-in agent any location will do: its absence is what the canary then shows.
      const [location = 'eu-central-1'] = await locations()
      const at = new Date(clock.now())
      await db.transaction((client) => ensureCanary(client, { location, isOn, at }))
      await schedule.checkChanged(canaryCheckId)
      // The first one does not wait a day.
      if (isOn && (await readCanaryArrival(db.pool)) === null) await schedule.requestRun(canaryCheckId, 'SCHEDULE_NOW')
    },
    async run() {
      if (!isOn) return undefined
      await resetCanary(db.pool)
      const started = await schedule.requestRun(canaryCheckId, 'SCHEDULE_NOW')
      return started && read(started.checkRunId)
    },
    read,
    async condition() {
      if (!isOn) return null
      const [last, acceptedAt] = [await readCanaryRun(db.pool), await readCanaryArrival(db.pool)]
      const failure = last && canaryFailure(last, clock.now())
      if (last?.accepted_at || failure !== undefined) await resetCanary(db.pool)
      const failedAt = failure === undefined ? null : (last?.due_at.getTime() ?? null)
      return { acceptedAt, failure: failure ?? null, failedAt }
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
  const failure = canaryFailure(run, nowMs) ?? null
  const outcome = run.accepted_at !== null ? 'accepted' : failure === null ? 'running' : 'failed'
  return { checkRunId: run.due_at.getTime(), outcome, failure, steps: stepsOf(run) }
}
