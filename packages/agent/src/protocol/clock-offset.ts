import type { Clock } from '@vedette/wire'

interface Sample {
  /** Server time when this process's monotonic clock stood at zero. */
  origin: number
  roundTripMs: number
}

const window = 8

/** Milliseconds to add to this machine's wall clock to get server time. */
export interface ClockOffset {
  /** `sentAt` and `receivedAt` are monotonic. */
  observe(sentAt: number, receivedAt: number, serverTime: number): void
  current(): number
}

/** The offset of an agent on the server's machine: they read the same clock. */
export const noOffset: ClockOffset = { observe: () => undefined, current: () => 0 }

/**
 * Measures by the quickest recent round trip. Server time is known relative to the monotonic clock, so that the offset
 * follows at once when this machine's wall clock is set.
 */
export function createClockOffset(clock: Pick<Clock, 'now' | 'monotonic'>): ClockOffset {
  let samples: Sample[] = []
  const best = () =>
    samples.reduce<Sample | undefined>(
      (least, sample) => (least === undefined || sample.roundTripMs < least.roundTripMs ? sample : least),
      undefined,
    )
  return {
    observe(sentAt, receivedAt, serverTime) {
      const roundTripMs = receivedAt - sentAt
      const sample = { origin: serverTime - (sentAt + receivedAt) / 2, roundTripMs }
      // Each sample is exact to half of its round trip. A larger difference means that the server's clock was set, or
      // that this machine was suspended.
      const known = best()
      const tolerance = known === undefined ? 0 : (known.roundTripMs + roundTripMs) / 2 + 5
      if (known !== undefined && Math.abs(known.origin - sample.origin) > tolerance) samples = []
      samples = [...samples.slice(1 - window), sample]
    },
    current() {
      const sample = best()
      if (sample === undefined) return 0
      const offsetMs = sample.origin + clock.monotonic() - clock.now()
      // Less than the measurement can tell: the clocks, which show whole milliseconds, may agree.
      return Math.abs(offsetMs) <= sample.roundTripMs / 2 + 1 ? 0 : offsetMs
    },
  }
}
