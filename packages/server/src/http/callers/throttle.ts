import { LRUCache } from 'lru-cache'

/** Counts failed attempts by name in a sliding window, so that guessing is slow. Memory is bounded. */
export interface Throttle {
  /** Seconds to wait before the next attempt, 0 when it is allowed. */
  waitSeconds(name: string): number
  failed(name: string): void
  succeeded(name: string): void
}

export function throttle(options: { now: () => number; tries: number; windowMs: number }): Throttle {
  const failures = new LRUCache<string, number[]>({ max: 10_000 })
  const recent = (name: string) => (failures.get(name) ?? []).filter((at) => at > options.now() - options.windowMs)
  return {
    waitSeconds(name) {
      const times = recent(name)
      const oldest = times[times.length - options.tries]
      return oldest === undefined ? 0 : Math.ceil((oldest + options.windowMs - options.now()) / 1000)
    },
    failed(name) {
      failures.set(name, [...recent(name), options.now()].slice(-options.tries))
    },
    succeeded: (name) => void failures.delete(name),
  }
}
