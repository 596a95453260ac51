const windowMs = 60_000
const allowedFailures = 60
const remembered = 10_000

/** Counts sign-ins that failed, per address. */
export interface FailureThrottle {
  /** Seconds until the address may try again; 0 when it may now. */
  blockedForSeconds(address: string, nowMs: number): number
  failed(address: string, nowMs: number): void
}

export function failureThrottle(limit: number = allowedFailures): FailureThrottle {
  const windows = new Map<string, { from: number; count: number }>()
  return {
    blockedForSeconds(address, nowMs) {
      const window = windows.get(address)
      if (!window || window.from + windowMs <= nowMs || window.count < limit) return 0
      return Math.ceil((window.from + windowMs - nowMs) / 1000)
    },
    failed(address, nowMs) {
      const window = windows.get(address)
      if (window && window.from + windowMs > nowMs) window.count++
      else {
        if (windows.size >= remembered) windows.clear()
        windows.set(address, { from: nowMs, count: 1 })
      }
    },
  }
}
