import type { LastingTrouble } from '../alerting/notifications/queue-missing.ts'
import { alertIdOf, type NewAlert } from '../alerting/notifications/new-alert.ts'
import type { CommittedResult } from '../runs.ts'
import { readAlertState, type AlertState, type TriggeringResult } from '../alerting/state/alert-state.ts'
import { nextState, type Decision, type StatusChange } from '../alerting/state/next-state.ts'
import { afterClockRewind } from '../alerting/state/clock-rewind.ts'
import type { PlannedResult, PreparedResult } from './result-row.ts'
import { expectedLocations } from './expected-locations.ts'
import type { StatusRow, StatusWrite } from './store.ts'
import type { AlertPolicy } from '../alerting/state/transition.ts'

/** A check inside one transaction: its results are applied one after another, its row is written once. */
export interface CheckDecision {
  row: StatusRow
  policy: AlertPolicy
  state: AlertState
  write: StatusWrite | undefined
  lastPassAt: number | null
  alerts: NewAlert[]
  /** The trouble that channels were notified of, if the newest run shows that it lasts. */
  lasting: LastingTrouble | undefined
}

export function openDecision(row: StatusRow): CheckDecision {
  const { alertSettings, muted } = row.effective
  return {
    row,
    policy: { settings: alertSettings, muted },
    state: readAlertState(row.alert_state),
    write: undefined,
    lastPassAt: row.last_pass_at?.getTime() ?? null,
    alerts: [],
    lasting: undefined,
  }
}

/** Applies one stored result to its check. */
export function decide(check: CheckDecision, planned: PlannedResult, now: number): CommittedResult {
  const { prepared, retry } = planned
  if (retry) return committedResult(check, planned, 0)
  const before = afterClockRewind(check.state, prepared.dueAt, now)
  const decision = nextState(before, decidedResult(prepared, check.row), check.policy, now)
  check.state = decision.state
  check.write = statusWrite(check, prepared, decision)
  const alert = newAlert(check, prepared, { before, decision, now })
  if (alert) check.alerts.push(alert)
  if (decision.status) check.lasting = lastingTrouble(check, prepared, { before, decision, now })
  if (isGood(prepared)) check.lastPassAt = Math.max(check.lastPassAt ?? 0, endOf(prepared))
  return committedResult(check, planned, alert && !alert.muted ? 1 : 0)
}

const isGood = ({ incoming }: PreparedResult): boolean => incoming.report.verdict.outcome === 'pass'
const endOf = ({ stoppedAt, dueAt }: PreparedResult): number => stoppedAt ?? dueAt

function decidedResult(prepared: PreparedResult, row: StatusRow) {
  const { identity, report } = prepared.incoming
  return {
    resultId: prepared.id,
    dueAt: prepared.dueAt,
    location: identity.location,
    outcome: report.verdict.outcome,
    degraded: report.verdict.degraded,
    cause: prepared.cause,
    responseMs: report.responseMs,
    statusCode: report.statusCode,
    startedAt: prepared.startedAt,
    finishedAt: prepared.stoppedAt,
    // A run in flight when its check was deactivated does not alert. Alerts due from it stay pending.
    late: prepared.late || !row.activated,
    cancelled: false,
    parallel: expectedLocations(row.effective),
  }
}

function statusWrite(check: CheckDecision, prepared: PreparedResult, { status, state }: Decision): StatusWrite {
  const base = check.write ?? unchanged(check)
  const measured = prepared.incoming.report.responseMs
  const write: StatusWrite = {
    ...base,
    alertState: state,
    longestRun: extreme(base.longestRun, measured, Math.max),
    shortestRun: extreme(base.shortestRun, measured, Math.min),
    lastPassAt: isGood(prepared) ? Math.max(base.lastPassAt ?? 0, endOf(prepared)) : base.lastPassAt,
  }
  return status ? { ...write, ...statusFields(base, status), ...lastRun(prepared, state) } : write
}

const extreme = (a: number | null, b: number | null, pick: (a: number, b: number) => number): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b)

const statusFields = (base: StatusWrite, status: StatusChange) => ({
  ...status,
  cause: status.cause === undefined ? base.cause : status.cause,
})

function lastRun({ incoming, id, dueAt, startedAt }: PreparedResult, state: AlertState): Partial<StatusWrite> {
  if (dueAt < state.seenAt) return {}
  const { identity, report } = incoming
  const certificate = { sslNotAfter: report.certificateNotAfter, sslKnown: true }
  return {
    lastRunLocation: identity.location,
    lastDueAt: dueAt,
    lastResultId: id,
    lastRunAt: startedAt ?? dueAt,
    // A run without an answer has no information on the certificate. A pass without one shows that there is none.
    ...(report.certificateNotAfter !== null || report.verdict.outcome === 'pass' ? certificate : {}),
  }
}

/** A write that changes nothing. */
function unchanged({ row, state }: CheckDecision): StatusWrite {
  return {
    checkId: row.check_id,
    state: row.state,
    stateSince: row.state_since?.getTime() ?? null,
    cause: row.cause,
    hasFailures: row.has_failures,
    hasErrors: row.has_errors,
    isDegraded: row.is_degraded,
    failingLocations: row.failing_locations,
    longestRun: null,
    shortestRun: null,
    lastRunLocation: null,
    lastDueAt: null,
    lastResultId: null,
    lastRunAt: null,
    lastPassAt: null,
    sslNotAfter: null,
    sslKnown: false,
    alertState: state,
  }
}

interface AlertContext {
  before: AlertState
  decision: Decision
  now: number
}

function newAlert(
  check: CheckDecision,
  prepared: PreparedResult,
  { before, decision, now }: AlertContext,
): NewAlert | undefined {
  const { alert } = decision
  if (!alert || alert.type === 'NO_ALERT') return undefined
  return alertOf(check, prepared, { before, decision, now }, { ...alert, type: alert.type })
}

/** The trouble, with what the newest result says of it. */
function lastingTrouble(check: CheckDecision, prepared: PreparedResult, of: AlertContext): LastingTrouble | undefined {
  const { lasting: basis, state } = of.decision
  if (!basis || state.notifiedAt === null) return undefined
  const alert = alertOf(check, prepared, of, { type: 'ALERT_FAILURE', muted: false, basis })
  return { alert, notifiedAt: state.notifiedAt }
}

interface AlertParts {
  type: NewAlert['alertType']
  muted: boolean
  basis: TriggeringResult
}

function alertOf(
  check: CheckDecision,
  prepared: PreparedResult,
  { before, decision: { state }, now }: AlertContext,
  alert: AlertParts,
): NewAlert {
  const { identity } = prepared.incoming
  const { basis } = alert
  const isRecovery = state.condition === 'passing'
  const since = isRecovery && before.condition !== 'passing' ? before.since : state.since
  return {
    id: alertIdOf(basis.resultId, alert.type, 0),
    accountId: identity.accountId,
    checkId: identity.checkId,
    checkName: check.row.name,
    checkType: check.row.type,
    alertType: alert.type,
    resultId: basis.resultId,
    resultDueAt: prepared.dueAt,
    revision: identity.revision,
    location: basis.location,
    responseMs: basis.responseMs,
    cause: isRecovery ? null : basis.cause,
    statusCode: basis.statusCode,
    startedAt: basis.startedAt,
    finishedAt: basis.finishedAt,
    decidedAt: now,
    reminder: 0,
    muted: alert.muted,
    tags: check.row.tags,
    lastPassAt: check.lastPassAt,
    stateSince: since,
    description: check.row.description,
  }
}

function committedResult(check: CheckDecision, { prepared, retry }: PlannedResult, alerts: number): CommittedResult {
  const { identity, report } = prepared.incoming
  return {
    resultId: prepared.id,
    accountId: identity.accountId,
    checkId: identity.checkId,
    location: identity.location,
    dueAt: prepared.dueAt,
    resultType: retry ? 'ATTEMPT' : 'FINAL',
    outcome: report.verdict.outcome,
    degraded: report.verdict.degraded && report.verdict.outcome === 'pass',
    responseMs: report.responseMs,
    cause: prepared.cause,
    state: check.write?.state ?? check.row.state,
    retry,
    notifications: alerts,
  }
}
