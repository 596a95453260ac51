/** A cancelled timer never fires. */
export type CancelTimer = () => void

/**
 * Time as a parameter. `now` is epoch milliseconds and names moments; it may leap when the host's clock is corrected.
 * `monotonic` is milliseconds since an arbitrary moment of this process and never goes back: durations, waits and time
 * limits are measured by it. `after` calls once, `delayMs` later by the monotonic clock.
 */
export interface Clock {
  now(): number
  monotonic(): number
  after(delayMs: number, call: () => void): CancelTimer
}

/**
 * What is stored further ahead of `now` was stored before the clock was set back: clocks are corrected by less, and those of
 * servers differ by less.
 */
export const mostAheadMs = 60_000

/** The real clock. Timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
}
