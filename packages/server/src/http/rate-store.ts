import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'

interface Window {
  /** Monotonic. */
  from: number
  count: number
}

/** Callers that are remembered; those seen longest ago are forgotten first. */
const callers = 20_000

/**
 * Counts requests in windows of the monotonic clock. The store of the library counts by wall time: a clock that is set
 * back would lock callers out for as long.
 */
export function rateStore(clock: Pick<Clock, 'monotonic'>): FastifyRateLimitStoreCtor {
  return class RateStore {
    readonly #windows = new LRUCache<string, Window>({ max: callers })

    incr(
      key: string,
      answer: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      const now = clock.monotonic()
      const known = this.#windows.get(key)
      const window = known === undefined || now - known.from >= windowMs ? { from: now, count: 0 } : known
      window.count++
      this.#windows.set(key, window)
      answer(null, { current: window.count, ttl: window.from + windowMs - now })
    }

    /** Of a route with a limit of its own. */
    child(): RateStore {
      return new RateStore()
    }
  }
}
