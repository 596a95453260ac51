import type { LeaseClaims, LocationId } from '@vedette/wire'
import type { CommittedResult, PendingRun, RunSource } from '../runs.ts'
import type { StoredResultRow } from './store.ts'

/**
 * A result delivered again is announced again: after a connection lost during COMMIT nobody has heard of the first time,
 * and a run whose end the scheduler never hears of would block its check.
 */
export function repeatedResult(row: StoredResultRow, claims: LeaseClaims, state: string): CommittedResult {
  return {
    resultId: row.id,
    accountId: claims.accountId,
    checkId: claims.checkId,
    location: claims.location,
    dueAt: claims.dueAt,
    resultType: row.result_type,
    outcome: row.outcome,
    degraded: row.is_degraded,
    responseMs: row.response_ms,
    cause: row.cause,
    state,
    retry: row.retry ? pendingRun(row.retry, claims) : undefined,
    notifications: 0,
    repeated: true,
  }
}

/** What the retry shares with the attempt comes from the claims, the rest from its row. */
function pendingRun(row: Record<string, unknown>, claims: LeaseClaims): PendingRun {
  return {
    attemptId: String(row.attempt_id),
    sequenceId: claims.sequenceId,
    accountId: claims.accountId,
    checkId: claims.checkId,
    revision: Number(row.revision),
    type: claims.type,
    dueAt: claims.dueAt,
    location: row.location as LocationId,
    workerClass: claims.workerClass,
    attempt: Number(row.attempt),
    source: claims.source as RunSource,
    runAt: Date.parse(String(row.run_at)),
  }
}
