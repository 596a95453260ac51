import type { AlertSettings } from '@vedette/wire'
import type { AlertState, Condition, OpenRun, TriggeringResult } from './alert-state.ts'
import type { DecidedRun } from './transition.ts'

/** Open runs at once. Runs every ten seconds that wait six minutes for a location are 36. */
const maxOpenRuns = 40

/** The result of one location in a parallel run. */
export interface LocationResult {
  dueAt: number
  location: string
  condition: Condition
  late: boolean
  triggeringResult: TriggeringResult
  /** All locations of the run. */
  expected: readonly string[]
}

/**
 * Adds the result of one location to its run. A run fails as soon as enough locations failed, and is otherwise decided
 * when all have reported. A location whose last result was *not known* is not waited for, because one without agents
 * would delay every recovery.
 */
export function foldLocation(
  state: AlertState,
  result: LocationResult,
  settings: AlertSettings,
): { state: AlertState; run: DecidedRun | undefined; triggeringResult: TriggeringResult | undefined } {
  const locations = withLocation(state.locations, result)
  if (result.dueAt <= state.dueAt) return { state: { ...state, locations }, ...undecided }
  const run = joined(state.open, result)
  const condition = conditionOf(run, result.expected, locations, settings)
  const older = state.open.filter((open) => open.dueAt !== run.dueAt)
  if (condition === 'open') return { state: { ...state, locations, open: newest([...older, run]) }, ...undecided }
  if (condition === 'unknown') return { state: { ...state, locations, open: older }, ...undecided }
  const open = older.filter((other) => other.dueAt > run.dueAt)
  const decided = { condition, dueAt: run.dueAt, late: run.late }
  return { state: { ...state, locations, open }, run: decided, triggeringResult: run.triggeringResults[condition] }
}

const undecided = { run: undefined, triggeringResult: undefined }

function withLocation(locations: AlertState['locations'], { dueAt, location, condition, expected }: LocationResult) {
  const kept = Object.fromEntries(Object.entries(locations).filter(([location]) => expected.includes(location)))
  if ((kept[location]?.dueAt ?? 0) > dueAt) return kept
  return { ...kept, [location]: { dueAt, condition } }
}

function joined(
  open: readonly OpenRun[],
  { dueAt, location, condition, late, triggeringResult }: LocationResult,
): OpenRun {
  const run = open.find((other) => other.dueAt === dueAt) ?? { dueAt, late: false, results: {}, triggeringResults: {} }
  // A late *not known* result does not make the run late: it has no outcome for the target.
  const isLate = run.late || (late && condition !== 'unknown')
  return {
    dueAt,
    late: isLate,
    results: { ...run.results, [location]: condition },
    triggeringResults: { ...run.triggeringResults, [condition]: triggeringResult },
  }
}

const newest = (runs: OpenRun[]): OpenRun[] => runs.sort((a, b) => a.dueAt - b.dueAt).slice(-maxOpenRuns)

function conditionOf(
  { results }: OpenRun,
  expected: readonly string[],
  locations: AlertState['locations'],
  settings: AlertSettings,
): Condition | 'open' {
  const complete = expected.every((location) => location in results || locations[location]?.condition === 'unknown')
  const known = Object.values(results).filter((condition) => condition !== 'unknown')
  const failed = known.filter((condition) => condition === 'failing').length
  const heardFrom = complete ? known.length : expected.length - (Object.keys(results).length - known.length)
  if (failed > 0 && isEnough(failed, heardFrom, expected.length, settings)) return 'failing'
  if (!complete) return 'open'
  if (known.length === 0) return 'unknown'
  return known.includes('degraded') ? 'degraded' : 'passing'
}

function isEnough(failed: number, heardFrom: number, locations: number, settings: AlertSettings): boolean {
  const { enabled, percentage } = settings.parallelRunFailureThreshold
  if (!enabled || locations < 2) return true
  return failed * 100 >= percentage * Math.max(1, heardFrom)
}
