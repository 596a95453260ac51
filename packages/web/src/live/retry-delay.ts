const firstMs = 250
/** A restart takes seconds: a page must be live again within two of them. */
const soonMs = 1800
const soonForMs = 5 * 60_000
const laterMs = 15_000

/** Milliseconds to wait before the next try to connect. `random`: 0 to 1, so that many pages do not come back at once. */
export function retryDelay(tries: number, lostForMs: number, random: number): number {
  const longest = lostForMs < soonForMs ? soonMs : laterMs
  const delay = Math.min(longest, firstMs * 2 ** Math.min(tries, 16))
  return delay * (0.7 + 0.3 * random)
}
