interface Sample {
  offsetMs: number
  roundTripMs: number
}

const window = 8

/** Milliseconds to add to this machine's clock to get server time: that of the quickest recent round trip. */
export interface ClockOffset {
  observe(sentAt: number, receivedAt: number, serverTime: number): void
  current(): number
}

export function createClockOffset(): ClockOffset {
  let samples: Sample[] = []
  const best = () =>
    samples.reduce<Sample | undefined>(
      (least, sample) => (least === undefined || sample.roundTripMs < least.roundTripMs ? sample : least),
      undefined,
    )
  return {
    observe(sentAt, receivedAt, serverTime) {
      const roundTripMs = receivedAt - sentAt
      if (roundTripMs < 0) return
      const sample = { offsetMs: serverTime - (sentAt + receivedAt) / 2, roundTripMs }
      // Each offset is exact to half of its round trip. A larger difference means that a clock was changed.
      const known = best()
      const tolerance = known === undefined ? 0 : (known.roundTripMs + roundTripMs) / 2 + 5
      if (known !== undefined && Math.abs(known.offsetMs - sample.offsetMs) > tolerance) samples = []
      samples = [...samples.slice(1 - window), sample]
    },
    current: () => best()?.offsetMs ?? 0,
  }
}
