import type { LocationId, ResultIdentity } from '@vedette/wire'
import type { CommittedResult, CommittedStatus, PendingRun } from '../runs.ts'
import type { StoredResultRow } from './store.ts'

/**
 * A result delivered again is announced again: after a connection lost during COMMIT the first announcement was not
 * made, and a run whose end the scheduler does not learn would block its check.
 */
export function repeatedResult(
  row: StoredResultRow,
  identity: ResultIdentity,
  status: CommittedStatus,
): CommittedResult {
  return {
    resultId: row.id,
    accountId: identity.accountId,
    checkId: identity.checkId,
    location: identity.location,
    dueAt: identity.dueAt,
    source: identity.source,
    resultType: row.result_type,
    attempts: identity.attempt,
    outcome: row.outcome,
    degraded: row.is_degraded,
    responseMs: row.response_ms,
    cause: row.cause,
    status,
    retry: row.retry ? pendingRun(row.retry, identity) : undefined,
    notifications: 0,
    repeated: true,
  }
}

/** What the retry shares with the attempt comes from the attempt's identity, the rest from the retry's row. */
function pendingRun(row: Record<string, unknown>, identity: ResultIdentity): PendingRun {
  return {
    attemptId: String(row.attempt_id),
    sequenceId: identity.sequenceId,
    accountId: identity.accountId,
    checkId: identity.checkId,
    revision: Number(row.revision),
    type: identity.type,
    dueAt: identity.dueAt,
    location: row.location as LocationId,
    workerClass: row.worker_class as PendingRun['workerClass'],
    attempt: Number(row.attempt),
    source: identity.source,
    runAt: Date.parse(String(row.run_at)),
  }
}
