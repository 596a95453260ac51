import type { Clock } from '@vedette/wire'

/** The longest timer, so that a suspended host and a clock that was set are noticed. */
export const longestSleepMs = 10_000
/** A timer this late means that the process was suspended, not just busy. */
export const sleptMs = 5000
/** Clocks that are corrected by less have not leapt. */
export const leapMs = 1000

/** Wall time minus monotonic time: it changes when the wall clock is set, or the host sleeps without its monotonic clock. */
export const wallOffset = (clock: Pick<Clock, 'now' | 'monotonic'>): number => clock.now() - clock.monotonic()
