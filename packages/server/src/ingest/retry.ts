import { retryDelayMs, type LocationId, type RetryStrategy } from '@vedette/wire'
import { attemptId } from '@vedette/wire/ids'
import type { PendingRun, RunRef } from '../runs.ts'
import type { RunSettings } from './store.ts'

export interface FailedAttempt {
  ref: RunRef
  /** No answer of the protocol came back. */
  networkError: boolean
  /** When the first attempt of the run started, epoch milliseconds. */
  runStartedAt: number
  /** Too old for a retry to say anything about its slot. */
  late: boolean
  /** This retry said nothing of the target: it was lost, or its agent was ill. */
  lost: boolean
}

/** The attempt that follows a failed one; undefined when the failure is the run's last word. */
export function nextAttempt(settings: RunSettings, failed: FailedAttempt, now: number): PendingRun | undefined {
  const { retryStrategy: strategy, runParallel, locations } = settings
  const { ref } = failed
  if (failed.lost) return elsewhere(settings, ref, now)
  if (!strategy || failed.late || ref.attempt >= strategy.maxRetries) return undefined
  if (strategy.onlyOn.length > 0 && !failed.networkError) return undefined
  const runAt = now + retryDelayMs(strategy, ref.attempt + 1)
  if (isTooLong(strategy, runAt - failed.runStartedAt)) return undefined
  const location = runParallel || strategy.sameRegion ? ref.location : nextLocation(locations, ref.location)
  return attemptAfter(ref, location, runAt)
}

/**
 * The target failed before and the retry told nothing: a location without an agent must not turn every failure into
 * something not known. Our trouble takes nothing from what the strategy allows, so this is one more, and at once.
 */
function elsewhere(
  { retryStrategy: strategy, locations, runParallel }: RunSettings,
  ref: RunRef,
  now: number,
): PendingRun | undefined {
  if (!strategy || runParallel || strategy.sameRegion || ref.attempt > strategy.maxRetries) return undefined
  const location = nextLocation(locations, ref.location)
  return location === ref.location ? undefined : attemptAfter(ref, location, now)
}

function attemptAfter(ref: RunRef, location: LocationId, runAt: number): PendingRun {
  const attempt = ref.attempt + 1
  return { ...ref, attempt, attemptId: attemptId(ref.sequenceId, ref.dueAt, attempt), location, runAt }
}

const isTooLong = ({ type, maxDurationSeconds }: RetryStrategy, runMs: number): boolean =>
  type !== 'SINGLE_RETRY' && runMs > maxDurationSeconds * 1000

function nextLocation(locations: readonly LocationId[], current: LocationId): LocationId {
  return locations[(locations.indexOf(current) + 1) % locations.length] ?? current
}
