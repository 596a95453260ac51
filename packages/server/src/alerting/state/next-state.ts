import type { CheckState, Outcome } from '@vedette/wire'
import { cutText } from '../../storable.ts'
import type { AlertState, Condition, LocationState, TriggeringResult } from './alert-state.ts'
import { foldLocation, isLocationOutdated, isLost, type ExpectedLocations } from './parallel-run.ts'
import { transition, type AlertPolicy, type DecidedRun, type DecidedAlert } from './transition.ts'

/** A FINAL result as the state machine sees it. */
export interface DecidedResult {
  resultId: string
  dueAt: number
  /** null for passive checks. */
  location: string | null
  outcome: Outcome
  degraded: boolean
  cause: string | null
  responseMs: number | null
  statusCode: number | null
  startedAt: number | null
  finishedAt: number | null
  /** It arrived too late to alert. */
  late: boolean
  cancelled: boolean
  /** The locations of a parallel check; undefined when one location runs at a time. */
  parallel: ExpectedLocations | undefined
}

/** Changes of the check's status row after a result. `cause` undefined leaves it as it is. */
export interface StatusChange {
  state: CheckState
  /** Due time of the first run of the state; null while nothing is known. */
  stateSince: number | null
  hasFailures: boolean
  hasErrors: boolean
  isDegraded: boolean
  failingLocations: string[]
  cause: string | null | undefined
}

export interface Decision {
  state: AlertState
  /** undefined: the result is older than what is known, and the status stays. */
  status: StatusChange | undefined
  alert: (DecidedAlert & { basis: TriggeringResult }) | undefined
  /** The result that the run rests on, if one was decided. */
  basis: TriggeringResult | undefined
  /** A trouble that channels were notified of lasts, as this result shows: channels that do not know of it are due. */
  lasting: TriggeringResult | undefined
}

/** The alert state machine. Results that are older than what is known change nothing. */
export function nextState(state: AlertState, result: DecidedResult, policy: AlertPolicy, now: number): Decision {
  if (result.cancelled || isOutdated(state, result))
    return { state, status: undefined, alert: undefined, basis: undefined, lasting: undefined }
  const folded = result.parallel ? foldParallel(state, result, result.parallel, policy) : foldSingle(state, result)
  const seen = { ...folded.state, seenAt: Math.max(state.seenAt, result.dueAt) }
  const basis = folded.triggeringResult ?? triggeringResultOf(result)
  const moved = folded.run ? transition(seen, { ...folded.run, basis }, policy, now) : { state: seen, alert: undefined }
  const settled = result.parallel ? moved.state : rememberLocations(moved.state, result)
  return {
    state: settled,
    status: { ...statusOf(settled, result), ...causeOfRun(folded) },
    alert: moved.alert && { ...moved.alert, basis },
    basis: folded.run && basis,
    lasting: isLasting(settled, folded.run, moved.alert, policy) ? basis : undefined,
  }
}

function isLasting(
  state: AlertState,
  run: Folded['run'],
  alert: DecidedAlert | undefined,
  { muted }: AlertPolicy,
): boolean {
  return run !== undefined && !alert && !run.late && !muted && state.notified === run.condition
}

function isOutdated(state: AlertState, { dueAt, parallel, location, outcome }: DecidedResult): boolean {
  const isKnown = outcome !== 'unknown'
  if (!parallel) return isKnown ? dueAt <= state.dueAt : dueAt <= state.seenAt
  // A location that was removed has no part in the check.
  if (location === null || !parallel.expected.includes(location)) return true
  return isLocationOutdated(state.locations[location], dueAt, isKnown)
}

interface Folded {
  state: AlertState
  run: Omit<DecidedRun, 'basis'> | undefined
  triggeringResult: TriggeringResult | undefined
}

function foldSingle(state: AlertState, result: DecidedResult): Folded {
  const condition = conditionOf(result)
  if (condition === 'unknown') return { state, run: undefined, triggeringResult: undefined }
  return { state, run: { condition, dueAt: result.dueAt, late: result.late }, triggeringResult: undefined }
}

function foldParallel(
  state: AlertState,
  result: DecidedResult,
  parallel: ExpectedLocations,
  { settings }: AlertPolicy,
): Folded {
  const { dueAt, location, late } = result
  const locationResult = {
    dueAt,
    location: location ?? '',
    late,
    condition: conditionOf(result),
    triggeringResult: triggeringResultOf(result),
  }
  return foldLocation(state, locationResult, parallel, settings)
}

/** Causes are cut: the state holds those of all locations. */
export const triggeringResultOf = (result: DecidedResult): TriggeringResult => ({
  resultId: result.resultId,
  location: result.location,
  cause: result.cause === null ? null : cutText(result.cause, 500),
  responseMs: result.responseMs,
  statusCode: result.statusCode,
  startedAt: result.startedAt,
  finishedAt: result.finishedAt,
})

/** A run in trouble has the cause of its triggering result: the location that completes it may have passed. */
const causeOfRun = ({ run, triggeringResult }: Folded): { cause?: string | null } =>
  run && triggeringResult && run.condition !== 'passing' ? { cause: triggeringResult.cause } : {}

function conditionOf({ outcome, degraded }: DecidedResult): Condition {
  if (outcome === 'unknown') return 'unknown'
  if (outcome === 'fail') return 'failing'
  return degraded ? 'degraded' : 'passing'
}

/** With one location at a time: the locations that failed since the trouble began. */
function rememberLocations(state: AlertState, { outcome, location, dueAt }: DecidedResult): AlertState {
  if (outcome === 'unknown' || location === null) return state
  if (outcome === 'pass') return Object.keys(state.locations).length > 0 ? { ...state, locations: {} } : state
  return { ...state, locations: { ...state.locations, [location]: { dueAt, condition: 'failing' } } }
}

function statusOf(state: AlertState, result: DecidedResult): StatusChange {
  const failingLocations = Object.keys(state.locations).filter((location) => isFailing(state.locations[location]))
  return {
    state: state.condition,
    stateSince: state.condition === 'unknown' ? null : state.since,
    hasFailures: state.condition === 'failing' || failingLocations.length > 0,
    hasErrors: hasErrors(state, result),
    isDegraded: state.condition === 'degraded',
    failingLocations: failingLocations.sort(),
    cause: causeOf(state, result, failingLocations.length),
  }
}

const isFailing = (location: LocationState | undefined): boolean =>
  location !== undefined && location.condition === 'failing' && !isLost(location)

function hasErrors(state: AlertState, { parallel, outcome, dueAt }: DecidedResult): boolean {
  if (parallel) return Object.values(state.locations).some(isLost)
  return outcome === 'unknown' || dueAt < state.seenAt
}

/** A pass keeps the cause of a trouble elsewhere. A *not known* result sets a cause only while nothing is known. */
function causeOf(state: AlertState, result: DecidedResult, failing: number): string | null | undefined {
  if (result.outcome === 'unknown') return state.condition === 'unknown' ? result.cause : undefined
  if (result.outcome === 'fail') return result.cause
  if (state.condition === 'degraded') return result.degraded ? result.cause : undefined
  return state.condition === 'failing' || failing > 0 ? undefined : null
}
