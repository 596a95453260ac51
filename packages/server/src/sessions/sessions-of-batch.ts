import { isFinalStatus, type ResultIdentity } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { requestedSources } from '../runs.ts'
import { sessionStatus } from './session-status.ts'
import { endSession, lockSessions, readSessionResults } from './store.ts'

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
        const results = await readSessionResults(client, session)
        const status = sessionStatus({ ...session, results, now })
        const endedAt = status === 'TIMED_OUT' ? (session.giveUpAt ?? now) : now
        if (isFinalStatus(status)) await endSession(client, { id: session.id, status, endedAt })
      }
    },
  }
}
