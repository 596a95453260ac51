import { placesOfSlot, slotAtOrAfter } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { PendingRun, RunSource } from '../runs.ts'
import { isSlotTime, refsAt } from './schedule-entry.ts'
import { insertPendingRuns, lockTakenTimes, readChecks, toScheduledCheck, type LaneOf } from './store.ts'

/**
 * Writes down a run that is wanted now, outside the schedule: at the place whose turn is next, or at all of them. Its due
 * time is now, moved by milliseconds until no other run of the check has it. Undefined when the check does not run.
 */
export async function requestRun(
  { db, laneOf }: { db: Database; laneOf: LaneOf },
  wish: { checkId: string; source: RunSource; accountId?: string; now: number },
): Promise<PendingRun[] | undefined> {
  const { checkId, source, now } = wish
  return db.transaction(async (client) => {
    const taken = await lockTakenTimes(client, checkId, now)
    const [row] = await readChecks(client, [checkId])
    const check = row && toScheduledCheck(row, laneOf)
    if (check === undefined || (wish.accountId !== undefined && check.accountId !== wish.accountId)) return undefined
    let due = now
    while (taken.has(due) || isSlotTime(check, due)) due++
    const places = placesOfSlot(check, slotAtOrAfter(check, now))
    const runs = refsAt(check, { dueAt: due, places, source }).map((ref) => ({ ...ref, runAt: now }))
    await insertPendingRuns(client, runs, now)
    return runs
  })
}
