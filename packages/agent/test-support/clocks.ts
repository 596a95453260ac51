import { systemClock, type CancelTimer, type Clock } from '@vedette/wire'

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

/** A clock that moves only by calls. */
export function givenManualClock() {
  let now = 1000
  let timers: { at: number; call: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(delayMs, call): CancelTimer {
      const timer = { at: now + delayMs, call }
      timers.push(timer)
      return () => (timers = timers.filter((each) => each !== timer))
    },
  }
  const advance = (ms: number): void => {
    const end = now + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter((each) => each !== next)
      now = Math.max(now, next.at)
      next.call()
    }
    now = end
  }
  return { ...clock, advance, timers: () => timers.length }
}
