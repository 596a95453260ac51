import type { AlertSettings } from '@vedette/wire'
import type { AlertState, Condition, LocationState, TriggeringResult } from './alert-state.ts'
import type { DecidedRun } from './transition.ts'

/**
 * Parallel checks: how the results of several locations become runs of one check.
 *
 * Locations answer on different slots: one that retries for three minutes drops its slots in between as overlap, while
 * another answers each minute. So a run is not a due time. It is a stretch of results in which every location reports at
 * most once: a known result of a location that already reported in the current run begins the next one.
 *
 * - A run judges the newest result of every expected location. Those are the locations of the check as it is now: a
 *   location that was removed counts no more, one that was added is awaited.
 * - A location is *awaited* when it reported in the run before and not yet in this one, or never reported. A run fails
 *   without it if the others are enough. Else it is decided without it only if it reported since a run was decided last,
 *   with that result. A location that missed a whole run is not awaited: it counts with its newest result. So a run waits
 *   for a location no longer than until the quickest location reports again.
 * - A location whose newest result is *not known* counts neither way and is not awaited. The same holds for one that has
 *   been silent for longer than its runs can take (`lapseMs`): no outage and no recovery waits for a dead location.
 * - The share of `parallelRunFailureThreshold` is taken of the locations that count or are awaited.
 * - A run is counted once for each condition it reaches. It counts as bad only with a result as bad that no run
 *   before it counted: older results keep a trouble and never make it longer or worse, so that nobody is notified of what
 *   no location saw again. The newest results end or ease a trouble, whichever run they are of.
 * - A run is late, and notifies nobody, only if all results it rests on arrived late.
 */

/** The result of one location. */
export interface LocationResult {
  dueAt: number
  location: string
  condition: Condition
  late: boolean
  triggeringResult: TriggeringResult
}

/** The locations of a parallel check. */
export interface ExpectedLocations {
  expected: readonly string[]
  /** Longest time between the due times of two results of a location that works. */
  lapseMs: number
}

interface FoldedRun {
  state: AlertState
  run: Omit<DecidedRun, 'basis'> | undefined
  triggeringResult: TriggeringResult | undefined
}

/** Adds the newest result of one location and decides the run, if it can be decided. */
export function foldLocation(
  before: AlertState,
  result: LocationResult,
  { expected, lapseMs }: ExpectedLocations,
  settings: AlertSettings,
): FoldedRun {
  const state = withResult(before, result, expected)
  const standings = standingsOf(state, lapseMs)
  const condition = conditionOf(standings, expected.length, settings)
  const undecided = { state, run: undefined, triggeringResult: undefined }
  const fresh = standings.known.filter((one) => isFresh(one, state))
  if (condition === undefined || fresh.length === 0 || isCounted(condition, result, state)) return undecided
  const dueAt = Math.max(state.dueAt, ...fresh.map((one) => one.dueAt))
  const seen = fresh.filter((one) => one.condition === condition)
  if (condition !== 'passing' && seen.length === 0 && severity[condition] >= severity[state.condition])
    return { ...undecided, state: { ...state, dueAt } }
  const basis = basisOf(seen.length > 0 ? seen : standings.known.filter((one) => one.condition === condition))
  return {
    state: { ...state, run: { number: state.run.number, decided: state.run.number, condition } },
    run: { condition, dueAt, late: basis.late === true },
    triggeringResult: basis.triggeringResult,
  }
}

/** A result that is not known completes an open run, and changes nothing of one that was decided. */
const isCounted = (condition: Condition, result: LocationResult, { run }: AlertState): boolean =>
  run.decided === run.number && (run.condition === condition || result.condition === 'unknown')

/** Whether no run before this one counted the result. */
const isFresh = (location: LocationState, { run }: AlertState): boolean =>
  (location.run ?? 0) > Math.min(run.decided, run.number - 1)

const severity: Record<Condition, number> = { unknown: 0, passing: 0, degraded: 1, failing: 2 }

/** Whether the newest result of a location is *not known*. */
export const isLost = ({ dueAt, lostAt }: LocationState): boolean => lostAt !== undefined && lostAt > dueAt

/** Whether the state has this result of a location, or a newer one that settles it. */
export function isLocationOutdated(newest: LocationState | undefined, dueAt: number, isKnown: boolean): boolean {
  if (!newest) return false
  return dueAt <= (isKnown ? newest.dueAt : Math.max(newest.dueAt, newest.lostAt ?? 0))
}

function withResult(state: AlertState, result: LocationResult, expected: readonly string[]): AlertState {
  const isKnown = result.condition !== 'unknown'
  const before = state.locations[result.location]
  const isNext = isKnown && before !== undefined && runOf(before, state) === state.run.number
  const run = isNext ? { ...state.run, number: state.run.number + 1 } : state.run
  const kept = expected.map((location): [string, LocationState] => {
    const newest = state.locations[location]
    if (location === result.location) return [location, reported(newest, result, run.number)]
    return [
      location,
      newest ? { ...newest, run: runOf(newest, state) } : { dueAt: 0, condition: 'unknown', awaitedFrom: result.dueAt },
    ]
  })
  return { ...state, run, locations: Object.fromEntries(kept) }
}

/** Results from before the check ran in parallel belong to the run before the current one. */
const runOf = (newest: LocationState, { run }: AlertState): number => newest.run ?? run.number - 1

function reported(newest: LocationState | undefined, result: LocationResult, run: number): LocationState {
  const { dueAt, condition, late, triggeringResult } = result
  if (condition === 'unknown') return { ...(newest ?? { dueAt: 0, condition }), lostAt: dueAt }
  const lostAt = newest?.lostAt
  return { dueAt, condition, run, late, triggeringResult, ...(lostAt !== undefined && lostAt > dueAt && { lostAt }) }
}

/** Whether a location of the check counts with a known result. */
export const hasKnownLocation = (state: AlertState, { lapseMs }: ExpectedLocations): boolean =>
  standingsOf(state, lapseMs).known.length > 0

interface Standings {
  /** Locations that count. */
  known: LocationState[]
  /** Those of them that are awaited in this run. */
  awaited: LocationState[]
  /** Awaited locations that never reported. */
  unheard: number
  /** Whether all that are awaited have reported since a run was decided. */
  isComplete: boolean
}

function standingsOf(state: AlertState, lapseMs: number): Standings {
  const all = Object.values(state.locations)
  const newestAt = Math.max(...all.map(newestTime))
  const isAwaited = (one: LocationState) => one.dueAt > 0 && one.run === state.run.number - 1
  const counting = all.filter((one) => !isLost(one) && (isAwaited(one) || newestAt - newestTime(one) <= lapseMs))
  const known = counting.filter((one) => one.dueAt > 0)
  const awaited = known.filter(isAwaited)
  const unheard = counting.length - known.length
  return { known, awaited, unheard, isComplete: unheard === 0 && awaited.every((one) => isFresh(one, state)) }
}

const newestTime = ({ dueAt, lostAt = 0, awaitedFrom = 0 }: LocationState): number =>
  Math.max(dueAt, lostAt, awaitedFrom)

const isFailing = ({ condition }: LocationState): boolean => condition === 'failing'

function conditionOf(
  { known, awaited, unheard, isComplete }: Standings,
  locations: number,
  settings: AlertSettings,
): DecidedRun['condition'] | undefined {
  const failing = known.filter(isFailing)
  const counted = known.length + unheard
  const certain = failing.filter((one) => !awaited.includes(one)).length
  if (isEnough(certain, counted, locations, settings)) return 'failing'
  if (!isComplete || known.length === 0) return undefined
  if (isEnough(failing.length, counted, locations, settings)) return 'failing'
  return known.some(({ condition }) => condition === 'degraded') ? 'degraded' : 'passing'
}

function isEnough(failed: number, counted: number, locations: number, settings: AlertSettings): boolean {
  if (failed === 0) return false
  const { enabled, percentage } = settings.parallelRunFailureThreshold
  if (!enabled || locations < 2) return true
  return failed * 100 >= percentage * counted
}

/** The result that a run rests on: the newest, and one in time if there is one. */
function basisOf(grounds: readonly LocationState[]): LocationState {
  const inTime = grounds.filter(({ late }) => late !== true)
  return (inTime.length > 0 ? inTime : grounds).reduce((newest, one) => (one.dueAt >= newest.dueAt ? one : newest))
}
