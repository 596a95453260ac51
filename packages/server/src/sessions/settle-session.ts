import { isFinalStatus } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { sessionStatus } from './session-status.ts'
import { endSession, readSessionResults, type OpenSession } from './store.ts'

/** Ends a locked session if nothing of it is to come. Returns whether it did. */
export async function settleSession(client: Queryable, session: OpenSession, now: number): Promise<boolean> {
  const results = await readSessionResults(client, session)
  const status = sessionStatus({ ...session, results, now })
  if (!isFinalStatus(status)) return false
  const endedAt = status === 'TIMED_OUT' ? (session.giveUpAt ?? now) : now
  await endSession(client, { id: session.id, status, endedAt })
  return true
}
