import { locationsOfSlot, slotAtOrAfter, type Clock, type LocationId, type RunSource } from '@vedette/wire'
import type { Database, Queryable } from '../../db/database.ts'
import type { PendingRun, StartedRun } from '../../runs.ts'
import { workerClassOf } from '../../worker-class-of.ts'
import { isSlotTime, refsAt, type ScheduledCheck } from '../schedule-entry.ts'
import { insertPendingRuns, lockTakenTimes, readChecks, readPendingRuns, toScheduledCheck } from '../store.ts'

export interface RunRequestsOptions {
  db: Database
  clock: Clock
  /** Settles when the schedule accepts runs, or another process leads. */
  ready: () => Promise<void>
  /** Adds a stored run to the schedule. */
  onRequested: (run: PendingRun) => void
}

/** Runs a check now, besides its schedule. Returns undefined when the check does not run. */
export type RequestRun = (checkId: string, source: RunSource, accountId?: string) => Promise<StartedRun | undefined>

/** The same for many checks at once. Those that do not run are left out. */
export type RequestRuns = (checkIds: readonly string[], source: RunSource) => Promise<void>

export function runRequests(options: RunRequestsOptions): { requestRun: RequestRun; requestRuns: RequestRuns } {
  const request = async (asked: Omit<RunsWish, 'now'>) => {
    await options.ready()
    const wish = { ...asked, now: options.clock.now() }
    const runs = await options.db
      .transaction((client) => storeRuns(client, wish))
      .catch((error) => takeUp(options, wish, error))
    for (const run of runs) options.onRequested(run)
    return runs
  }
  return {
    async requestRun(checkId, source, accountId) {
      const runs = await request({ checkIds: [checkId], source, accountId })
      const [first] = runs
      return first && { checkRunId: first.dueAt, resultIds: runs.map((run) => run.attemptId) }
    },
    async requestRuns(checkIds, source) {
      if (checkIds.length > 0) await request({ checkIds, source, accountId: undefined })
    },
  }
}

/** Checks to run now. */
export interface RunsWish {
  checkIds: readonly string[]
  source: RunSource
  /** Set when the checks must be of this account. */
  accountId: string | undefined
  now: number
  /** Where a check runs; by default at the location whose turn is next, or at all of them. */
  locationsOf?: (check: ScheduledCheck) => readonly LocationId[]
}

/**
 * Stores runs outside the schedule, without those of checks that do not run. Each has its due time: now, moved by
 * milliseconds until no other run of the check has it.
 */
export async function storeRuns(client: Queryable, wish: RunsWish): Promise<PendingRun[]> {
  const { now, source, accountId } = wish
  const locationsOf = wish.locationsOf ?? locationsInTurn(now)
  const taken = await lockTakenTimes(client, wish.checkIds, now)
  const runs: PendingRun[] = []
  for (const check of await checksThatRun(client, { checkIds: wish.checkIds, accountId, now })) {
    const dueAt = freeTime(check, taken.get(check.checkId), now)
    const refs = refsAt(check, { dueAt, locations: locationsOf(check), source })
    runs.push(...refs.map((ref) => ({ ...ref, runAt: now })))
  }
  await insertPendingRuns(client, runs, now)
  return runs
}

/** Where a check runs by its schedule: at the location whose turn is next, or at all of them. */
export const locationsInTurn =
  (now: number) =>
  (check: ScheduledCheck): readonly LocationId[] =>
    locationsOfSlot(check, slotAtOrAfter(check, now))

/** Those of the checks that run now. */
export async function checksThatRun(
  client: Queryable,
  { checkIds, accountId, now }: Pick<RunsWish, 'checkIds' | 'accountId' | 'now'>,
): Promise<ScheduledCheck[]> {
  const checks = (await readChecks(client, now, checkIds)).flatMap((row) => toScheduledCheck(row, workerClassOf) ?? [])
  return checks.filter((check) => accountId === undefined || check.accountId === accountId)
}

function freeTime(check: ScheduledCheck, taken: ReadonlySet<number> | undefined, now: number): number {
  let due = now
  while (taken?.has(due) || isSlotTime(check, due)) due++
  return due
}

/** A COMMIT whose answer was lost may have stored its runs: they are looked up and started. */
async function takeUp({ db, onRequested }: RunRequestsOptions, wish: RunsWish, error: unknown): Promise<never> {
  for (const run of await readPendingRuns(db.pool, wish.now))
    if (wish.checkIds.includes(run.checkId) && run.dueAt >= wish.now) onRequested(run)
  throw error
}
