const firstMs = 200

/**
 * Doubling waits with jitter, so that agents do not reconnect all at once. `attempt` counts failures from 0. No wait is
 * longer than `longestMs`.
 */
export function backOffMs(attempt: number, random: () => number, longestMs = 10_000): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 16))
  return full * (0.5 + random() / 2)
}
