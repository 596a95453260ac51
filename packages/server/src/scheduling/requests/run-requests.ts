import { locationsOfSlot, slotAtOrAfter, type Clock, type RunSource } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { PendingRun, StartedRun } from '../../runs.ts'
import { workerClassOf } from '../../worker-class-of.ts'
import { isSlotTime, refsAt } from '../schedule-entry.ts'
import { insertPendingRuns, lockTakenTimes, readChecks, readPendingRuns, toScheduledCheck } from '../store.ts'

export interface RunRequestsOptions {
  db: Database
  clock: Clock
  /** Settles when the schedule accepts runs, or another process leads. */
  ready: () => Promise<void>
  /** Adds a stored run to the schedule. */
  onRequested: (run: PendingRun) => void
}

/** A check to run now. */
interface RunWish {
  checkId: string
  source: RunSource
  /** Set when the check must be of this account. */
  accountId: string | undefined
  now: number
}

export type RequestRun = (checkId: string, source: RunSource, accountId?: string) => Promise<StartedRun | undefined>

/** Runs a check now, besides its schedule. Returns undefined when the check does not run. */
export function runRequests(options: RunRequestsOptions): RequestRun {
  return async (checkId, source, accountId) => {
    await options.ready()
    const wish = { checkId, source, accountId, now: options.clock.now() }
    const runs = await writeDown(options.db, wish).catch((error) => takeUp(options, wish, error))
    const [first] = runs ?? []
    if (runs === undefined || first === undefined) return undefined
    for (const run of runs) options.onRequested(run)
    return { checkRunId: first.dueAt, resultIds: runs.map((run) => run.attemptId) }
  }
}

/**
 * Stores a run outside the schedule: at the location whose turn is next, or at all of them. Its due time is now, moved
 * by milliseconds until no other run of the check has it. Undefined when the check does not run.
 */
async function writeDown(
  db: Database,
  { checkId, source, accountId, now }: RunWish,
): Promise<PendingRun[] | undefined> {
  return db.transaction(async (client) => {
    const taken = await lockTakenTimes(client, checkId, now)
    const [row] = await readChecks(client, now, [checkId])
    const check = row && toScheduledCheck(row, workerClassOf)
    if (check === undefined || (accountId !== undefined && check.accountId !== accountId)) return undefined
    let due = now
    while (taken.has(due) || isSlotTime(check, due)) due++
    const locations = locationsOfSlot(check, slotAtOrAfter(check, now))
    const runs = refsAt(check, { dueAt: due, locations, source }).map((ref) => ({ ...ref, runAt: now }))
    await insertPendingRuns(client, runs, now)
    return runs
  })
}

/** A COMMIT whose answer was lost may have stored its runs: they are looked up and started. */
async function takeUp({ db, onRequested }: RunRequestsOptions, wish: RunWish, error: unknown): Promise<never> {
  for (const run of await readPendingRuns(db.pool, wish.now))
    if (run.checkId === wish.checkId && run.dueAt >= wish.now) onRequested(run)
  throw error
}
