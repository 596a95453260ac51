import type { Clock } from '@vedette/wire'
import { thresholds } from '../troubles/thresholds.ts'

export interface ClockLeap {
  /** Positive: forward. */
  byMs: number
  agoMs: number
}

/** Compares wall time with the monotonic clock: where they part, the host's clock was set, or the host was suspended. */
export function clockLeaps(clock: Pick<Clock, 'now' | 'monotonic'>): () => ClockLeap | null {
  let offset = clock.now() - clock.monotonic()
  let last: { at: number; byMs: number } | undefined
  return () => {
    const monotonic = clock.monotonic()
    const byMs = clock.now() - monotonic - offset
    offset += byMs
    if (Math.abs(byMs) >= thresholds.clockLeapMs) last = { at: monotonic, byMs: Math.round(byMs) }
    return last === undefined ? null : { byMs: last.byMs, agoMs: monotonic - last.at }
  }
}
