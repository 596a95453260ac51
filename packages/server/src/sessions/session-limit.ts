import { retryDelayMs, staleAfterMs, type RetryStrategy } from '@vedette/wire'

/** Two leases: an agent that is lost holds its run for one before another agent gets it. */
const leasesMs = 60_000

/**
 * How long a session waits for its results before it is TIMED_OUT: as long as a run can last. Its first and its last
 * attempt may each wait until they are stale and be run twice, when their agent is lost; no retry begins later than the
 * strategy allows.
 */
export function sessionLimitMs(timeoutMs: number, strategy: RetryStrategy | null): number {
  const attemptMs = staleAfterMs + 2 * timeoutMs + leasesMs
  return strategy === null ? attemptMs : 2 * attemptMs + retriesMs(strategy)
}

const retriesMs = (strategy: RetryStrategy): number =>
  Math.max(strategy.maxDurationSeconds * 1000, retryDelayMs(strategy, 1))
