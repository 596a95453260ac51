import type { Clock } from '@vedette/wire'

/** The clock of a run. `now` is server time and names moments; `monotonic` measures, and only it limits. */
export type RunClock = Pick<Clock, 'now' | 'monotonic'>

/** Begin and end of something that took time, epoch milliseconds. */
export interface Times {
  startedAt: number
  stoppedAt: number
}

/**
 * Notes the beginning. The returned function answers beginning and end so far: their distance is measured, so that a
 * wall clock that was set in between does not change it.
 */
export function startTimes(clock: RunClock): () => Times {
  const startedAt = clock.now()
  const began = clock.monotonic()
  return () => ({ startedAt, stoppedAt: startedAt + Math.max(0, clock.monotonic() - began) })
}
