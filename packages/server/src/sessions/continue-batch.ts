import type { Queryable } from '../db/database.ts'
import { storeRuns } from '../scheduling/requests/run-requests.ts'
import { limitOf } from './start-sessions.ts'
import { beginSession, endSession, lockBatch, readSessionChecks, type BatchedSession } from './store.ts'

/** Ids of checks whose sessions began or ended. */
export interface BatchStep {
  begun: string[]
  ended: string[]
}

/**
 * Ends the sessions of a batch whose time is over, and begins the next ones while fewer run than may. One whose check does
 * not run any more, or whose location is gone, ends as CANCELLED.
 */
export async function continueBatch(client: Queryable, batch: string, now: number): Promise<BatchStep> {
  const step: BatchStep = { begun: [], ended: [] }
  let running = 0
  for (const session of await lockBatch(client, batch)) {
    if (session.giveUpAt !== null && session.giveUpAt <= now) {
      await endSession(client, { id: session.id, status: 'TIMED_OUT', endedAt: session.giveUpAt })
      step.ended.push(session.checkId)
    } else if (session.dueAt !== null) running++
    else if (running < session.atOnce) {
      const isBegun = await begin(client, session, now)
      if (isBegun) running++
      step[isBegun ? 'begun' : 'ended'].push(session.checkId)
    }
  }
  return step
}

async function begin(client: Queryable, session: BatchedSession, now: number): Promise<boolean> {
  const { id, checkId, accountId, source, locations } = session
  const checkIds = session.locationGone ? [] : [checkId]
  const [run] = await storeRuns(client, { checkIds, source, accountId, now, locationsOf: () => locations })
  const [check] = await readSessionChecks(client, [checkId])
  if (run === undefined || check === undefined) {
    await endSession(client, { id, status: 'CANCELLED', endedAt: now })
    return false
  }
  await beginSession(client, { id, dueAt: run.dueAt, giveUpAt: now + limitOf(check) })
  return true
}
