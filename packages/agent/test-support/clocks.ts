import { systemClock, type Clock } from '@vedette/wire'

/** The real clock, whose wall time a test sets as an operator or NTP does. */
export function givenSettableClock() {
  let byMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + byMs }
  return { ...clock, setWall: (ms: number) => void (byMs += ms) }
}

/** A clock that goes `times` as fast as the real one, so that time limits of seconds are over in a moment. */
export function givenFastClock(times: number): Clock {
  const startedAt = systemClock.now()
  const monotonic = () => systemClock.monotonic() * times
  const first = monotonic()
  return {
    now: () => startedAt + (monotonic() - first),
    monotonic,
    after: (delayMs, call) => systemClock.after(delayMs / times, call),
  }
}
