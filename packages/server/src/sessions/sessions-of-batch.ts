import type { ResultIdentity } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { requestedSources } from '../runs.ts'
import { settleSession } from './settle-session.ts'
import { lockSessions } from './store.ts'

/** The sessions of results that are being stored. */
export interface SessionsOfBatch {
  /** Somebody cancelled the run of this result: it says nothing about the target. */
  isCancelled(identity: ResultIdentity): boolean
  /** Ends the sessions that these new results complete. */
  settle(stored: readonly ResultIdentity[], now: number): Promise<void>
}

/** Locks the sessions of these results until the end of the transaction. The schedule's own runs have none. */
export async function sessionsOfBatch(
  client: Queryable,
  identities: readonly ResultIdentity[],
): Promise<SessionsOfBatch> {
  const sessions = await lockSessions(
    client,
    identities.filter(({ source }) => requestedSources.has(source)),
  )
  const cancelled = new Set(sessions.flatMap((session) => session.cancelled))
  return {
    isCancelled: (identity) => cancelled.has(identity.sequenceId),
    async settle(stored, now) {
      const sequences = new Set(stored.map((identity) => identity.sequenceId))
      for (const session of sessions) {
        if (session.ended || !session.sequenceIds.some((id) => sequences.has(id))) continue
        await settleSession(client, session, now)
      }
    },
  }
}
