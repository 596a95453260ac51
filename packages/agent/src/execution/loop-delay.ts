import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'

/** Each look wakes the thread, also when it has nothing to do. */
const resolutionMs = 100

/** Measures how long this thread stands still. */
export const monitorLoop = (): IntervalHistogram => monitorEventLoopDelay({ resolution: resolutionMs })

/** Longest stall since the last reset. The histogram includes its own sampling interval, which is subtracted. */
export const lagMs = (delay: { max: number }): number => Math.max(0, Math.round(delay.max / 1e6 - resolutionMs))
