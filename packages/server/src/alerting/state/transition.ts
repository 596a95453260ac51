import type { AlertSettings, AlertType } from '@vedette/wire'
import type { AlertState, Condition, TriggeringResult } from './alert-state.ts'

/** A run whose condition is decided. */
export interface DecidedRun {
  condition: Exclude<Condition, 'unknown'>
  dueAt: number
  /** It arrived too late to alert. */
  late: boolean
  /** The result that it rests on. */
  basis: TriggeringResult
}

export interface AlertPolicy {
  settings: AlertSettings
  /** Alerts are recorded, and no channel is notified. */
  muted: boolean
  /** The parent that fails, for which alerts that open a trouble are recorded and held back. Absent: none does. */
  heldBy?: string | undefined
}

export interface DecidedAlert {
  type: AlertType
  muted: boolean
  /** The parent for which it is held back. */
  heldBy?: string
}

export interface Transition {
  state: AlertState
  alert: DecidedAlert | undefined
}

type Trouble = 'degraded' | 'failing'

type NewAlertType = Exclude<AlertType, 'NO_ALERT'>

const troubleAlerts: Record<Condition, Record<Trouble, NewAlertType>> = {
  unknown: { degraded: 'ALERT_DEGRADED', failing: 'ALERT_FAILURE' },
  passing: { degraded: 'ALERT_DEGRADED', failing: 'ALERT_FAILURE' },
  degraded: { degraded: 'ALERT_DEGRADED_REMAIN', failing: 'ALERT_DEGRADED_FAILURE' },
  failing: { degraded: 'ALERT_FAILURE_DEGRADED', failing: 'ALERT_FAILURE_REMAIN' },
}

/** Updates the condition by one run and returns the alert that follows, if any. */
export function transition(state: AlertState, run: DecidedRun, policy: AlertPolicy, now: number): Transition {
  const same = state.condition === run.condition
  const moved: AlertState = {
    ...state,
    condition: run.condition,
    dueAt: run.dueAt,
    since: same ? state.since : run.dueAt,
    runs: same ? state.runs + 1 : 1,
    pending: same && state.pending,
    held: same ? state.held : null,
  }
  if (run.condition === 'passing') return recover(state.condition, moved, run.late, policy.muted)
  const type = troubleAlerts[state.condition][run.condition]
  return worry({ type, from: state.condition, to: run.condition, run }, moved, policy, now)
}

interface Step {
  type: AlertType
  from: Condition
  to: Trouble
  run: DecidedRun
}

function worry(step: Step, state: AlertState, policy: AlertPolicy, now: number): Transition {
  if (!isAlertDue(step, state, policy)) return { state, alert: undefined }
  if (step.run.late) return { state: { ...state, pending: true }, alert: undefined }
  if (policy.muted) return { state: { ...state, recorded: step.to }, alert: { type: step.type, muted: true } }
  if (policy.heldBy !== undefined && state.notified === 'nothing') return hold(step, state, policy.heldBy)
  return { state: withNotified(state, step.to, now), alert: { type: step.type, muted: false } }
}

const withNotified = (state: AlertState, of: Trouble, now: number): AlertState => ({
  ...state,
  recorded: of,
  notified: of,
  notifiedAt: now,
  pending: false,
  pendingRecovery: null,
  held: null,
})

/** The alert stays due: it is recorded once, and opens as soon as no parent holds it back. */
function hold({ type, to, run: { basis } }: Step, state: AlertState, parentId: string): Transition {
  const held = { parentId, triggeringResult: basis }
  return {
    state: { ...state, recorded: to, pending: true, held },
    alert: state.recorded === to ? undefined : { type, muted: true, heldBy: parentId },
  }
}

/** What becomes of an alert that is not held back any more; undefined when none is. */
export function release(
  state: AlertState,
  now: number,
): { state: AlertState; type: NewAlertType; triggeringResult: TriggeringResult } | undefined {
  const { condition, held } = state
  if (!held || !isTrouble(condition)) return undefined
  const { triggeringResult } = held
  return { state: withNotified(state, condition, now), type: troubleAlerts[condition][condition], triggeringResult }
}

/** Escalation and de-escalation always alert; other alerts are due once, when the threshold is reached. */
function isAlertDue({ from, to }: Step, state: AlertState, { settings, muted }: AlertPolicy): boolean {
  if (isTrouble(from) && from !== to) return true
  const known = muted ? state.recorded : state.notified
  return known !== to && (state.pending || isThresholdReached(state, settings))
}

const isTrouble = (condition: Condition): condition is Trouble => condition === 'degraded' || condition === 'failing'

/** Measured between due times: arrival times vary with the length of runs and could delay an alert by an interval. */
function isThresholdReached({ runs, dueAt, since }: AlertState, settings: AlertSettings): boolean {
  if (settings.escalationType === 'RUN_BASED') return runs >= settings.runBasedEscalation.failedRunThreshold
  return dueAt - since >= settings.timeBasedEscalation.minutesFailingThreshold * 60_000
}

function recover(from: Condition, state: AlertState, late: boolean, muted: boolean): Transition {
  const pending = recoveryPending(from, state)
  const calm: AlertState = {
    ...state,
    notified: 'nothing',
    recorded: 'nothing',
    notifiedAt: null,
    pending: false,
    held: null,
  }
  if (late) return { state: { ...calm, pendingRecovery: pending }, alert: undefined }
  // The recovery from a trouble that was not notified is recorded only.
  const alert = pending ? { type: pending.type, muted: muted || !pending.notified } : undefined
  return { state: { ...calm, pendingRecovery: null }, alert }
}

function recoveryPending(
  from: Condition,
  { notified, recorded, pendingRecovery }: AlertState,
): AlertState['pendingRecovery'] {
  if (recorded === 'nothing' && notified === 'nothing' && pendingRecovery === null) return null
  if (!isTrouble(from)) return pendingRecovery
  const type = from === 'failing' ? 'ALERT_RECOVERY' : 'ALERT_DEGRADED_RECOVERY'
  return { type, notified: notified !== 'nothing' || pendingRecovery?.notified === true }
}
