import { performance, type EventLoopUtilization } from 'node:perf_hooks'

const windowMs = 100

/** The share of the last moments in which this thread was busy, 0 to 1. */
export function utilizationMeter(): () => number {
  let sample: { at: number; total: EventLoopUtilization; busy: number } | undefined
  return () => {
    const now = performance.now()
    if (sample === undefined || now - sample.at >= windowMs) {
      const total = performance.eventLoopUtilization()
      const busy = sample === undefined ? 0 : performance.eventLoopUtilization(total, sample.total).utilization
      sample = { at: now, total, busy }
    }
    return sample.busy
  }
}
