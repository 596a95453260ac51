import type { AlertSettings } from '@vedette/wire'
import type { AlertState, Condition, OpenRun, Witness } from './alert-state.ts'
import type { DecidedRun } from './transition.ts'

/** Runs waiting at once. Ten-second runs that wait six minutes for a silent place are 36. */
const maxOpenRuns = 40

/** One place's part in a parallel run. */
export interface PlaceResult {
  dueAt: number
  location: string
  condition: Condition
  late: boolean
  witness: Witness
  /** All places of the run. */
  expected: readonly string[]
}

/**
 * Adds one place's word to its run. A run fails as soon as enough places failed, and is otherwise decided when all have
 * reported; a place last heard of as *not known* is not waited for, or a dead agent would hold up every recovery.
 */
export function foldPlace(
  state: AlertState,
  result: PlaceResult,
  settings: AlertSettings,
): { state: AlertState; run: DecidedRun | undefined; witness: Witness | undefined } {
  const places = withPlace(state.places, result)
  if (result.dueAt <= state.dueAt) return { state: { ...state, places }, ...undecided }
  const run = joined(state.open, result)
  const condition = conditionOf(run, result.expected, places, settings)
  const older = state.open.filter((open) => open.dueAt !== run.dueAt)
  if (condition === 'open') return { state: { ...state, places, open: newest([...older, run]) }, ...undecided }
  if (condition === 'unknown') return { state: { ...state, places, open: older }, ...undecided }
  const open = older.filter((other) => other.dueAt > run.dueAt)
  const decided = { condition, dueAt: run.dueAt, late: run.late }
  return { state: { ...state, places, open }, run: decided, witness: run.witnesses[condition] }
}

const undecided = { run: undefined, witness: undefined }

function withPlace(places: AlertState['places'], { dueAt, location, condition, expected }: PlaceResult) {
  const kept = Object.fromEntries(Object.entries(places).filter(([place]) => expected.includes(place)))
  if ((kept[location]?.dueAt ?? 0) > dueAt) return kept
  return { ...kept, [location]: { dueAt, condition } }
}

function joined(open: readonly OpenRun[], { dueAt, location, condition, late, witness }: PlaceResult): OpenRun {
  const run = open.find((other) => other.dueAt === dueAt) ?? { dueAt, late: false, results: {}, witnesses: {} }
  // A loss recorded late says nothing late about the target.
  const isLate = run.late || (late && condition !== 'unknown')
  return {
    dueAt,
    late: isLate,
    results: { ...run.results, [location]: condition },
    witnesses: { ...run.witnesses, [condition]: witness },
  }
}

const newest = (runs: OpenRun[]): OpenRun[] => runs.sort((a, b) => a.dueAt - b.dueAt).slice(-maxOpenRuns)

function conditionOf(
  { results }: OpenRun,
  expected: readonly string[],
  places: AlertState['places'],
  settings: AlertSettings,
): Condition | 'open' {
  const complete = expected.every((place) => place in results || places[place]?.condition === 'unknown')
  const known = Object.values(results).filter((condition) => condition !== 'unknown')
  const failed = known.filter((condition) => condition === 'failing').length
  const heardFrom = complete ? known.length : expected.length - (Object.keys(results).length - known.length)
  if (failed > 0 && isEnough(failed, heardFrom, expected.length, settings)) return 'failing'
  if (!complete) return 'open'
  if (known.length === 0) return 'unknown'
  return known.includes('degraded') ? 'degraded' : 'passing'
}

function isEnough(failed: number, heardFrom: number, places: number, settings: AlertSettings): boolean {
  const { enabled, percentage } = settings.parallelRunFailureThreshold
  if (!enabled || places < 2) return true
  return failed * 100 >= percentage * Math.max(1, heardFrom)
}
