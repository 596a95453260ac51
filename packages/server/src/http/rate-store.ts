import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { CallerWindow, SharedRates } from './shared-rates.ts'

/** Callers that are remembered; those seen longest ago are forgotten first. */
const callers = 20_000

/**
 * Counts requests in windows of the monotonic clock. The store of the library counts by wall time: a clock that is set
 * back would lock callers out for as long. With `shared`, the requests at other servers count too.
 */
export function rateStore(clock: Pick<Clock, 'monotonic'>, shared?: SharedRates): FastifyRateLimitStoreCtor {
  return class RateStore {
    readonly #windows = new LRUCache<string, CallerWindow>({ max: callers })
    /** What is limited: one route, or all that have no limit of their own. */
    readonly #scope: string

    constructor(params: object) {
      this.#scope = scopeOf(params)
    }

    incr(
      key: string,
      answer: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
      max: number,
    ): void {
      const now = clock.monotonic()
      const known = this.#windows.get(key)
      const window = known === undefined || now - known.from >= windowMs ? { from: now, count: 0 } : known
      window.count++
      this.#windows.set(key, window)
      if (window.count <= max) shared?.admitted(`${this.#scope}${key}`, window, windowMs)
      answer(null, { current: window.count, ttl: window.from + windowMs - now })
    }

    /** Of a route with a limit of its own. */
    child(params: object): RateStore {
      return new RateStore(params)
    }
  }
}

/** The library passes the route among the parameters of its limit, which its types do not say. */
function scopeOf(params: { routeInfo?: { method: string | readonly string[]; url: string } }): string {
  const { routeInfo } = params
  return routeInfo === undefined ? '' : `${String(routeInfo.method)} ${routeInfo.url} `
}
