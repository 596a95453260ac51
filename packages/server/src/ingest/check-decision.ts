import type { LastingTrouble } from '../alerting/notifications/queue-missing.ts'
import { episodesAfter, type Episode, type Episodes } from '../alerting/episodes/episode.ts'
import { toOpenEpisode } from '../alerting/episodes/episode-store.ts'
import { episodeIdOf, type NewAlert } from '../alerting/notifications/new-alert.ts'
import type { CommittedResult } from '../runs.ts'
import { readAlertState, type AlertState } from '../alerting/state/alert-state.ts'
import { nextState, type DecidedResult, type Decision, type StatusChange } from '../alerting/state/next-state.ts'
import { afterClockRewind } from '../alerting/state/clock-rewind.ts'
import type { PlannedResult, PreparedResult } from './result-row.ts'
import { committedResult, committedStatus, shownSoFar } from './committed-result.ts'
import { expectedLocations } from './expected-locations.ts'
import type { StatusRow, StatusWrite } from './store.ts'
import { watchAfter } from '../alerting/state/watch.ts'
import { alertsOf, lastingTrouble, watchAlert, type DecisionContext } from './decided-alerts.ts'
import { isMuted } from '../settings/muted.ts'
import type { AlertPolicy } from '../alerting/state/transition.ts'

/** A check inside one transaction: its results are applied one after another, its row is written once. */
export interface CheckDecision {
  row: StatusRow
  policy: AlertPolicy
  state: AlertState
  write: StatusWrite | undefined
  lastPassAt: number | null
  alerts: NewAlert[]
  episodes: Episodes
  /** The trouble that channels were notified of, if the newest run shows that it lasts. */
  lasting: LastingTrouble | undefined
}

export function openDecision(row: StatusRow, nowMs: number): CheckDecision {
  const { alertSettings: settings } = row.effective
  return {
    row,
    policy: { settings, muted: isMuted(row.effective, nowMs) },
    state: readAlertState(row.alert_state),
    write: undefined,
    lastPassAt: row.last_pass_at?.getTime() ?? null,
    alerts: [],
    episodes: { open: toOpenEpisode(row), begun: [], ended: [] },
    lasting: undefined,
  }
}

/** Applies one stored result to its check. */
export function decide(check: CheckDecision, planned: PlannedResult, now: number): CommittedResult {
  const { prepared, resultType, isOutdated } = planned
  const shown = shownSoFar(check, now)
  if (resultType === 'ATTEMPT' || prepared.cancelled || isOutdated)
    return committedResult(planned, { status: committedStatus(check, shown, now), notifications: 0 })
  const before = afterClockRewind(check.state, prepared.dueAt, now)
  const result = decidedResult(prepared, check.row)
  const decision = nextState(before, result, check.policy, now)
  check.state = decision.state
  const episode = followEpisode(check, prepared, { before, decision, now })
  const alerts = decision.status ? alertsOf(check, prepared, { before, decision, now, episode }) : []
  if (decision.status) alerts.unshift(...watch(check, prepared, result, now))
  check.write = statusWrite(check, prepared, decision)
  check.alerts.push(...alerts)
  if (decision.status) check.lasting = lastingTrouble(check, prepared, { before, decision, now, episode })
  if (isGood(prepared)) check.lastPassAt = Math.max(check.lastPassAt ?? 0, endOf(prepared))
  const notifications = alerts.filter(({ muted }) => !muted).length
  return committedResult(planned, { status: committedStatus(check, shown, now), notifications })
}

/** Follows the episodes of the check. Returns the one that an alert of this result is about: a recovery ends it. */
function followEpisode(
  check: CheckDecision,
  prepared: PreparedResult,
  { before, decision }: Omit<DecisionContext, 'episode'>,
): Episode | undefined {
  if (!decision.status) return undefined
  const { open } = check.episodes
  check.episodes = episodesAfter(check.episodes, {
    id: episodeIdOf(prepared.id, decision.state.condition),
    before,
    after: decision.state,
    dueAt: prepared.dueAt,
    basis: decision.basis,
    activated: check.row.activated,
  })
  return check.episodes.open ?? open
}

/** Follows whether the check is watched at all. Moves `check.state`. */
function watch(check: CheckDecision, prepared: PreparedResult, result: DecidedResult, now: number): NewAlert[] {
  const { muted } = check.policy
  const quiet = muted || !check.row.activated
  const watched = watchAfter(check.state, result, { quiet, heldBy: check.policy.heldBy })
  check.state = watched.state
  return watched.alert ? [watchAlert(check, prepared, watched.alert, now)] : []
}

const isGood = ({ incoming }: PreparedResult): boolean => incoming.report.verdict.outcome === 'pass'
const endOf = ({ stoppedAt, dueAt }: PreparedResult): number => stoppedAt ?? dueAt

function decidedResult(prepared: PreparedResult, row: StatusRow): DecidedResult {
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
    // Cancelled results are not decided.
    cancelled: false,
    parallel: expectedLocations(row.effective),
  }
}

function statusWrite(check: CheckDecision, prepared: PreparedResult, { status }: Decision): StatusWrite {
  const { state } = check
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
    lastMs: report.responseMs,
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
    lastMs: null,
    lastRunAt: null,
    lastPassAt: null,
    sslNotAfter: null,
    sslKnown: false,
    alertState: state,
  }
}
