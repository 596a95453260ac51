import { nextRetryMs, type LocationId } from '@vedette/wire'
import { attemptId } from '@vedette/wire/ids'
import type { PendingRun, RunRef } from '../runs.ts'
import type { RunSettings } from './run-store.ts'

export interface FailedAttempt {
  ref: RunRef
  /** The target did not answer in its protocol. */
  networkError: boolean
  /** When the first attempt of the run started, epoch milliseconds. */
  runStartedAt: number
  /** When this attempt ended, epoch milliseconds. */
  endedAt: number
  /** Too old for a retry to be of use for its slot. */
  late: boolean
  /** This retry has no outcome for the target: it was lost, or ended with an internal error. */
  lost: boolean
}

/** The attempt that follows a failed one; undefined when the failure is final. */
export function nextAttempt(settings: RunSettings, failed: FailedAttempt, now: number): PendingRun | undefined {
  const { retryStrategy: strategy, runParallel, locations } = settings
  const { ref } = failed
  if (failed.lost) return elsewhere(settings, ref, now)
  if (!strategy || failed.late) return undefined
  // What the result waited for while no server took it is no time of the run.
  const runMs = failed.endedAt - failed.runStartedAt
  const delayMs = nextRetryMs(strategy, { attempt: ref.attempt, networkError: failed.networkError, runMs })
  if (delayMs === undefined) return undefined
  const location = runParallel || strategy.sameRegion ? ref.location : nextLocation(locations, ref.location)
  return attemptAfter(ref, location, now + delayMs)
}

/**
 * An additional attempt at the next location, at once, for a retry without an outcome: a location without agents must
 * not turn every failure into *not known*, also when retries are to stay where they are. It does not count against the
 * retry strategy, because the target did not cause it. In a parallel run the other locations have results of their own.
 */
function elsewhere(
  { retryStrategy: strategy, locations, runParallel }: RunSettings,
  ref: RunRef,
  now: number,
): PendingRun | undefined {
  if (!strategy || runParallel || ref.attempt > strategy.maxRetries) return undefined
  const location = nextLocation(locations, ref.location)
  return location === ref.location ? undefined : attemptAfter(ref, location, now)
}

function attemptAfter(ref: RunRef, location: LocationId, runAt: number): PendingRun {
  const attempt = ref.attempt + 1
  return { ...ref, attempt, attemptId: attemptId(ref.sequenceId, ref.dueAt, attempt), location, runAt }
}

function nextLocation(locations: readonly LocationId[], current: LocationId): LocationId {
  return locations[(locations.indexOf(current) + 1) % locations.length] ?? current
}
