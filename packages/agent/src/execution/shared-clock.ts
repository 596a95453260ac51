import { systemClock, type Clock } from '@vedette/wire'

/** The real clock, whose monotonic time all threads of a process share: `performance.now()` begins anew in each. */
export const sharedClock: Clock = {
  ...systemClock,
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
}
