import type { Clock } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { settleSession } from './settle-session.ts'
import { lockSessions, noteCancelled, type RunOfCheck } from './store.ts'

interface RunTakenBack extends RunOfCheck {
  sequenceId: string
}

/** What waits for the results of requested runs: their sessions. `ended` is called after the commit, with their checks. */
export const waitingSessions = (clock: Pick<Clock, 'now'>, ended: (checkIds: readonly string[]) => void) => ({
  takenBack: (client: Queryable, runs: readonly RunTakenBack[]) => endTakenBack(client, runs, clock.now()),
  ended,
})

/** Cancels runs whose results will not come, and ends sessions that wait for nothing else. Returns the checks of those. */
async function endTakenBack(client: Queryable, runs: readonly RunTakenBack[], now: number): Promise<string[]> {
  const taken = new Set(runs.map(({ sequenceId }) => sequenceId))
  const ended: string[] = []
  for (const session of await lockSessions(client, runs)) {
    if (session.ended) continue
    const cancelled = session.sequenceIds.filter((id) => taken.has(id) || session.cancelled.includes(id))
    await noteCancelled(client, session.id, cancelled)
    if (await settleSession(client, { ...session, cancelled }, now)) ended.push(session.checkId)
  }
  return ended
}
