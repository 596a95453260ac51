import type { AlertState } from './alert-state.ts'

/** No run is due after it is reported, but for clocks that step a little. */
const aheadMs = 60_000

/** What is known from a time to come was learned by a clock that has been set back: a result of now is newer than that. */
export function afterClockRewind(state: AlertState, dueAt: number, now: number): AlertState {
  if (Math.max(state.dueAt, state.seenAt) <= now + aheadMs) return state
  const before = (time: number) => Math.min(time, dueAt - 1)
  const locations = Object.entries(state.locations).map(([location, word]) => [
    location,
    { ...word, dueAt: before(word.dueAt) },
  ])
  return {
    ...state,
    dueAt: before(state.dueAt),
    seenAt: before(state.seenAt),
    since: before(state.since),
    locations: Object.fromEntries(locations) as AlertState['locations'],
    open: [],
  }
}
