import { mostAheadMs } from '@vedette/wire'
import type { AlertState } from './alert-state.ts'

/**
 * Due times in the future were stored before a clock rewind: they are lowered, so that a result of now counts as newer.
 */
export function afterClockRewind(state: AlertState, dueAt: number, now: number): AlertState {
  if (Math.max(state.dueAt, state.seenAt) <= now + mostAheadMs) return state
  const before = (time: number) => Math.min(time, dueAt - 1)
  const locations = Object.entries(state.locations).map(([location, newest]) => [
    location,
    {
      ...newest,
      dueAt: before(newest.dueAt),
      ...(newest.lostAt !== undefined && { lostAt: before(newest.lostAt) }),
      ...(newest.awaitedFrom !== undefined && { awaitedFrom: before(newest.awaitedFrom) }),
    },
  ])
  return {
    ...state,
    dueAt: before(state.dueAt),
    seenAt: before(state.seenAt),
    since: before(state.since),
    locations: Object.fromEntries(locations) as AlertState['locations'],
    unwatched: state.unwatched && {
      ...state.unwatched,
      since: before(state.unwatched.since),
      newestAt: before(state.unwatched.newestAt),
    },
  }
}
