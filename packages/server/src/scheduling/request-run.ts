import { locationsOfSlot, slotAtOrAfter } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { PendingRun, RunSource } from '../runs.ts'
import { isSlotTime, refsAt } from './schedule-entry.ts'
import { insertPendingRuns, lockTakenTimes, readChecks, toScheduledCheck, type WorkerClassOf } from './store.ts'

/**
 * Writes down a run that is wanted now, outside the schedule: at the location whose turn is next, or at all of them. Its due
 * time is now, moved by milliseconds until no other run of the check has it. Undefined when the check does not run.
 */
export async function requestRun(
  { db, workerClassOf }: { db: Database; workerClassOf: WorkerClassOf },
  wish: { checkId: string; source: RunSource; accountId?: string; now: number },
): Promise<PendingRun[] | undefined> {
  const { checkId, source, now } = wish
  return db.transaction(async (client) => {
    const taken = await lockTakenTimes(client, checkId, now)
    const [row] = await readChecks(client, [checkId])
    const check = row && toScheduledCheck(row, workerClassOf)
    if (check === undefined || (wish.accountId !== undefined && check.accountId !== wish.accountId)) return undefined
    let due = now
    while (taken.has(due) || isSlotTime(check, due)) due++
    const locations = locationsOfSlot(check, slotAtOrAfter(check, now))
    const runs = refsAt(check, { dueAt: due, locations, source }).map((ref) => ({ ...ref, runAt: now }))
    await insertPendingRuns(client, runs, now)
    return runs
  })
}
