import {
  completeRetryStrategy,
  doubleCheckStrategy,
  retryDelayMs,
  retryStrategySchema,
  type RetryStrategy,
} from '@vedette/wire'
import { attemptId } from '@vedette/wire/ids'
import type { PendingRun, RunRef } from '../runs.ts'

/** How a revision retries and where else it may run. */
export interface RetryPlan {
  strategy: RetryStrategy | undefined
  locations: readonly string[]
  parallel: boolean
}

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

/** The strategy of a definition: its own, else what `doubleCheck` means, else none. */
export function retryStrategyOf({
  retryStrategy,
  doubleCheck,
}: {
  retryStrategy?: unknown
  doubleCheck?: unknown
}): RetryStrategy | undefined {
  if (retryStrategy) return completeRetryStrategy(retryStrategySchema.parse(retryStrategy))
  return doubleCheck === true ? doubleCheckStrategy : undefined
}

/** The attempt that follows a failed one; undefined when the failure is the run's last word. */
export function nextAttempt(plan: RetryPlan, failed: FailedAttempt, now: number): PendingRun | undefined {
  const { strategy } = plan
  const { ref } = failed
  if (failed.lost) return elsewhere(plan, ref, now)
  if (!strategy || failed.late || ref.attempt >= strategy.maxRetries) return undefined
  if (strategy.onlyOn.length > 0 && !failed.networkError) return undefined
  const runAt = now + retryDelayMs(strategy, ref.attempt + 1)
  if (isTooLong(strategy, runAt - failed.runStartedAt)) return undefined
  const location = plan.parallel || strategy.sameRegion ? ref.location : nextLocation(plan.locations, ref.location)
  return attemptAfter(ref, location, runAt)
}

/**
 * The target failed before and the retry told nothing: a location without an agent must not turn every failure into
 * something not known. Our trouble takes nothing from what the strategy allows, so this is one more, and at once.
 */
function elsewhere({ strategy, locations, parallel }: RetryPlan, ref: RunRef, now: number): PendingRun | undefined {
  if (!strategy || parallel || strategy.sameRegion || ref.attempt > strategy.maxRetries) return undefined
  const location = nextLocation(locations, ref.location)
  return location === ref.location ? undefined : attemptAfter(ref, location, now)
}

function attemptAfter(ref: RunRef, location: string, runAt: number): PendingRun {
  const attempt = ref.attempt + 1
  return { ...ref, attempt, attemptId: attemptId(ref.sequenceId, ref.dueAt, attempt), location, runAt }
}

const isTooLong = ({ type, maxDurationSeconds }: RetryStrategy, runMs: number): boolean =>
  type !== 'SINGLE_RETRY' && runMs > maxDurationSeconds * 1000

function nextLocation(locations: readonly string[], current: string): string {
  return locations[(locations.indexOf(current) + 1) % locations.length] ?? current
}
