import type { Episode } from '../alerting/episodes/episode.ts'
import type { LastingTrouble } from '../alerting/notifications/queue-missing.ts'
import { alertIdOf, heldAlertIdOf, type NewAlert } from '../alerting/notifications/new-alert.ts'
import type { AlertState, TriggeringResult } from '../alerting/state/alert-state.ts'
import type { Decision } from '../alerting/state/next-state.ts'
import { causeOfUnwatched, type WatchAlert } from '../alerting/state/watch.ts'
import type { AlertPolicy } from '../alerting/state/transition.ts'
import type { PreparedResult } from './result-row.ts'
import type { StatusRow } from './store.ts'

/** The check that alerts are about. */
interface AlertedCheck {
  row: StatusRow
  policy: AlertPolicy
  lastPassAt: number | null
}

/** A decision about a check, with the state before it. */
export interface DecisionContext {
  before: AlertState
  decision: Decision
  now: number
  /** The one that alerts of this decision are about. */
  episode: Episode | undefined
}

/** The alert of a decision about the target, if there is one. */
export function alertsOf(check: AlertedCheck, prepared: PreparedResult, of: DecisionContext): NewAlert[] {
  const { alert } = of.decision
  if (!alert || alert.type === 'NO_ALERT') return []
  return [
    ofEpisode(alertOf(check, prepared, { ...alert, type: alert.type, ...stateOf(of, alert.basis), now: of.now }), of),
  ]
}

/** The trouble of which channels were notified, with what the newest result says of it. */
export function lastingTrouble(
  check: AlertedCheck,
  prepared: PreparedResult,
  of: DecisionContext,
): LastingTrouble | undefined {
  const { lasting: basis, state } = of.decision
  if (!basis || state.notifiedAt === null) return undefined
  const parts = { type: 'ALERT_FAILURE' as const, muted: false, basis, ...stateOf(of, basis), now: of.now }
  return { alert: ofEpisode(alertOf(check, prepared, parts), of), notifiedAt: state.notifiedAt }
}

const ofEpisode = (alert: NewAlert, { episode }: DecisionContext): NewAlert => ({
  ...alert,
  episodeId: episode?.id ?? null,
  acknowledgedBy: episode?.acknowledged?.by ?? null,
})

/** The alert that a check is not being watched, or is again. */
export function watchAlert(check: AlertedCheck, prepared: PreparedResult, watch: WatchAlert, now: number): NewAlert {
  const { type, unwatched, triggeringResult: basis } = watch
  const cause = type === 'ALERT_UNKNOWN' ? causeOfUnwatched(unwatched) : null
  return alertOf(check, prepared, { type, muted: check.policy.muted, basis, cause, stateSince: unwatched.since, now })
}

function stateOf({ before, decision: { state } }: DecisionContext, basis: TriggeringResult) {
  const isRecovery = state.condition === 'passing'
  return {
    cause: isRecovery ? null : basis.cause,
    stateSince: isRecovery && before.condition !== 'passing' ? before.since : state.since,
  }
}

interface AlertParts extends Pick<NewAlert, 'cause' | 'stateSince' | 'muted' | 'heldBy'> {
  type: NewAlert['alertType']
  basis: TriggeringResult
  now: number
}

function alertOf(
  { row, lastPassAt }: AlertedCheck,
  { incoming: { identity }, dueAt }: PreparedResult,
  { type, basis, cause, stateSince, muted, heldBy, now }: AlertParts,
): NewAlert {
  return {
    id: heldBy === undefined ? alertIdOf(basis.resultId, type, 0) : heldAlertIdOf(basis.resultId, type),
    accountId: identity.accountId,
    checkId: identity.checkId,
    checkName: row.name,
    checkType: row.type,
    alertType: type,
    resultId: basis.resultId,
    resultDueAt: dueAt,
    revision: identity.revision,
    location: basis.location,
    responseMs: basis.responseMs,
    cause,
    statusCode: basis.statusCode,
    startedAt: basis.startedAt,
    finishedAt: basis.finishedAt,
    decidedAt: now,
    reminder: 0,
    muted,
    ...(heldBy !== undefined && { heldBy }),
    tags: row.tags,
    lastPassAt,
    stateSince,
    description: row.description,
    groupName: row.group_name,
  }
}
