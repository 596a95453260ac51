import { intervalMs, staleAfterMs } from '@vedette/wire'
import type { ExpectedLocations } from '../alerting/state/parallel-run.ts'
import type { EffectiveCheck } from '../settings/resolve-check.ts'

type Settings = Pick<EffectiveCheck, 'runParallel' | 'locations' | 'frequency' | 'frequencyOffset' | 'retryStrategy'>

/**
 * The locations that a parallel check is judged by: those it has now, also for results of an older revision. Undefined
 * for other checks.
 */
export function expectedLocations(settings: Settings): ExpectedLocations | undefined {
  const { runParallel, locations } = settings
  if (!runParallel || locations.length === 0) return undefined
  return { expected: locations, lapseMs: lapseMs(settings) }
}

/**
 * One run that took as long as runs can, one of which the result is still awaited, and the interval between them. A run
 * lasts until its last retry, and each attempt may wait until it is stale.
 */
function lapseMs({ frequency, frequencyOffset, retryStrategy }: Settings): number {
  const interval = intervalMs({ frequency: frequency ?? 0, frequencyOffset: frequencyOffset ?? 0 })
  const longestRun = (retryStrategy?.maxDurationSeconds ?? 0) * 1000 + 2 * staleAfterMs
  return interval + 2 * longestRun
}
