import { intervalMs } from '@vedette/wire'
import type { AlertState } from '../alerting/state/alert-state.ts'
import { shownStatus, type ShownStatus } from '../db/check-state.ts'
import type { CommittedResult, CommittedStatus } from '../runs.ts'
import type { PlannedResult } from './result-row.ts'
import type { StatusRow, StatusWrite } from './store.ts'

/** A check within its transaction. */
interface CheckSoFar {
  row: StatusRow
  state: AlertState
  write: StatusWrite | undefined
  lastPassAt: number | null
}

/** What the overview shows of the check, were the transaction to commit now. */
export function shownSoFar({ row, state, write }: CheckSoFar, now: number): ShownStatus {
  const { frequency, frequencyOffset } = row.effective
  const facts = {
    activated: row.activated,
    notRunnable: row.not_runnable,
    knownAt: state.dueAt === 0 ? null : state.dueAt,
    periodMs: frequency === null ? null : intervalMs({ frequency, frequencyOffset: frequencyOffset ?? 0 }),
  }
  if (write) return shownStatus({ ...facts, ...write }, now)
  const { state: stored, state_since: since, cause, has_errors: hasErrors } = row
  return shownStatus({ ...facts, state: stored, stateSince: since?.getTime() ?? null, cause, hasErrors }, now)
}

export const committedStatus = (check: CheckSoFar, before: ShownStatus, now: number): CommittedStatus => ({
  ...shownSoFar(check, now),
  previousState: before.state,
  failingLocations: check.write?.failingLocations ?? check.row.failing_locations,
  lastPassAt: check.lastPassAt,
})

export function committedResult(
  { prepared, retry }: PlannedResult,
  { status, notifications }: { status: CommittedStatus; notifications: number },
): CommittedResult {
  const { identity, report } = prepared.incoming
  return {
    resultId: prepared.id,
    accountId: identity.accountId,
    checkId: identity.checkId,
    location: identity.location,
    dueAt: prepared.dueAt,
    resultType: retry ? 'ATTEMPT' : 'FINAL',
    attempts: identity.attempt,
    outcome: report.verdict.outcome,
    degraded: report.verdict.degraded && report.verdict.outcome === 'pass',
    responseMs: report.responseMs,
    cause: prepared.cause,
    status,
    retry,
    notifications,
  }
}
