import type { AlertState } from '../alerting/state/alert-state.ts'
import { shownStatus, type ShownStatus } from '../db/check-state.ts'
import type { CommittedResult, CommittedStatus } from '../runs.ts'
import { periodMsOf } from '../settings/period.ts'
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
  return shownStatus(
    {
      activated: row.activated,
      notRunnable: row.not_runnable,
      state: write?.state ?? row.state,
      stateSince: write ? write.stateSince : (row.state_since?.getTime() ?? null),
      cause: write ? write.cause : row.cause,
      hasErrors: write?.hasErrors ?? row.has_errors,
      knownAt: state.dueAt === 0 ? null : state.dueAt,
      whyUnknown: whyUnknown(state),
      periodMs: periodMsOf(row.effective),
    },
    now,
  )
}

const whyUnknown = ({ unwatched }: AlertState): string | null => unwatched?.triggeringResult?.cause ?? null

export function committedStatus(check: CheckSoFar, before: ShownStatus, now: number): CommittedStatus {
  const { state, since, cause } = shownSoFar(check, now)
  return {
    previousState: before.state,
    state,
    since,
    cause,
    failingLocations: check.write?.failingLocations ?? check.row.failing_locations,
    lastPassAt: check.lastPassAt,
  }
}

export function committedResult(
  { prepared, resultType, retry }: PlannedResult,
  { status, notifications }: { status: CommittedStatus; notifications: number },
): CommittedResult {
  const { identity, report } = prepared.incoming
  return {
    resultId: prepared.id,
    accountId: identity.accountId,
    checkId: identity.checkId,
    location: identity.location,
    dueAt: prepared.dueAt,
    source: identity.source,
    resultType,
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
