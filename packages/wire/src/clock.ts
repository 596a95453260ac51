/** A cancelled timer never fires. */
export type CancelTimer = () => void

/** Time as a parameter. `now` is epoch milliseconds; `after` calls once, `delayMs` later. */
export interface Clock {
  now(): number
  after(delayMs: number, call: () => void): CancelTimer
}

/** The real clock. Timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
}
