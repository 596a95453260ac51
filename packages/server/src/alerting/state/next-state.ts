import type { CheckState, Outcome } from '@vedette/wire'
import type { AlertState, Condition, Witness } from './alert-state.ts'
import { foldPlace } from './parallel-run.ts'
import { transition, type AlertPolicy, type DecidedRun, type RaisedAlert } from './transition.ts'

/** A FINAL result as the state machine sees it. */
export interface DecidedResult {
  resultId: string
  dueAt: number
  location: string
  outcome: Outcome
  degraded: boolean
  cause: string | null
  responseMs: number | null
  statusCode: number | null
  startedAt: number | null
  finishedAt: number | null
  /** It arrived too late to page anyone with it. */
  late: boolean
  cancelled: boolean
  /** All places of a parallel run; undefined when one place runs at a time. */
  expected: readonly string[] | undefined
}

/** What the status row of the check says after a result. `cause` undefined leaves it as it is. */
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
  /** undefined: the result is history and changes nothing a person sees. */
  status: StatusChange | undefined
  alert: (RaisedAlert & { basis: Witness }) | undefined
}

/** The alert state machine. Results that are older than what is known change nothing. */
export function nextState(state: AlertState, result: DecidedResult, policy: AlertPolicy, now: number): Decision {
  if (result.cancelled || isOutdated(state, result)) return { state, status: undefined, alert: undefined }
  const folded = result.expected ? foldParallel(state, result, policy) : foldSingle(state, result)
  const seen = { ...folded.state, seenAt: Math.max(state.seenAt, result.dueAt) }
  const moved = folded.run ? transition(seen, folded.run, policy, now) : { state: seen, alert: undefined }
  const settled = result.expected ? moved.state : rememberPlaces(moved.state, result)
  const basis = folded.witness ?? witnessOf(result)
  return {
    state: settled,
    status: {
      ...statusOf(settled, result),
      ...(folded.run && folded.witness && causeOfRun(folded.run, folded.witness)),
    },
    alert: moved.alert && { ...moved.alert, basis },
  }
}

function isOutdated(state: AlertState, { dueAt, expected, location, outcome }: DecidedResult): boolean {
  if (expected) return dueAt <= (state.places[location]?.dueAt ?? 0)
  return outcome === 'unknown' ? dueAt <= state.seenAt : dueAt <= state.dueAt
}

interface Folded {
  state: AlertState
  run: DecidedRun | undefined
  witness: Witness | undefined
}

function foldSingle(state: AlertState, result: DecidedResult): Folded {
  const condition = conditionOf(result)
  // Runs left open from when the check ran in parallel never complete.
  const single = state.open.length > 0 ? { ...state, open: [] } : state
  if (condition === 'unknown') return { state: single, run: undefined, witness: undefined }
  return { state: single, run: { condition, dueAt: result.dueAt, late: result.late }, witness: undefined }
}

function foldParallel(state: AlertState, result: DecidedResult, { settings }: AlertPolicy): Folded {
  const { dueAt, location, late, expected = [] } = result
  const word = { dueAt, location, late, expected, condition: conditionOf(result), witness: witnessOf(result) }
  return foldPlace(state, word, settings)
}

/** Causes are cut: a check keeps those of its open runs. */
const witnessOf = (result: DecidedResult): Witness => ({
  resultId: result.resultId,
  location: result.location,
  cause: result.cause?.slice(0, 500) ?? null,
  responseMs: result.responseMs,
  statusCode: result.statusCode,
  startedAt: result.startedAt,
  finishedAt: result.finishedAt,
})

/** The place that completes a run in trouble is often not the one that is. */
const causeOfRun = ({ condition }: DecidedRun, { cause }: Witness) => (condition === 'passing' ? {} : { cause })

function conditionOf({ outcome, degraded }: DecidedResult): Condition {
  if (outcome === 'unknown') return 'unknown'
  if (outcome === 'fail') return 'failing'
  return degraded ? 'degraded' : 'passing'
}

/** With one place at a time, the places that failed since the trouble began. */
function rememberPlaces(state: AlertState, { outcome, location, dueAt }: DecidedResult): AlertState {
  if (outcome === 'unknown') return state
  if (outcome === 'pass') return Object.keys(state.places).length > 0 ? { ...state, places: {} } : state
  return { ...state, places: { ...state.places, [location]: { dueAt, condition: 'failing' } } }
}

function statusOf(state: AlertState, result: DecidedResult): StatusChange {
  const failingLocations = Object.keys(state.places).filter((place) => state.places[place]?.condition === 'failing')
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

function hasErrors(state: AlertState, { expected, outcome, dueAt }: DecidedResult): boolean {
  if (expected) return Object.values(state.places).some((place) => place.condition === 'unknown')
  return outcome === 'unknown' || dueAt < state.seenAt
}

/** A passing word never wipes the cause of a trouble that lasts elsewhere; a *not known* one only speaks when nobody else has. */
function causeOf(state: AlertState, result: DecidedResult, failing: number): string | null | undefined {
  if (result.outcome === 'unknown') return state.condition === 'unknown' ? result.cause : undefined
  if (result.outcome === 'fail') return result.cause
  if (state.condition === 'degraded') return result.degraded ? result.cause : undefined
  return state.condition === 'failing' || failing > 0 ? undefined : null
}
