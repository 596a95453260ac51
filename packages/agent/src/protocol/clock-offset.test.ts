import { expect, test } from 'vitest'
import { createClockOffset } from './clock-offset.ts'

/** An agent whose wall clock shows `wall` when its monotonic clock shows 0. */
function givenOffset(wall = 0) {
  let [monotonic, wallAtZero] = [0, wall]
  const offset = createClockOffset({ now: () => wallAtZero + monotonic, monotonic: () => monotonic })
  return {
    current: () => offset.current(),
    setWall: (byMs: number) => void (wallAtZero += byMs),
    /** A round trip in which the server read its clock in the middle, unless `serverTime` says otherwise. */
    observe(sentAt: number, receivedAt: number, serverTime: number) {
      monotonic = receivedAt
      offset.observe(sentAt, receivedAt, serverTime)
    },
  }
}

test('without a sample the clocks are taken to agree', () => {
  expect(givenOffset().current()).toBe(0)
})

test('the quickest of the last round trips counts', () => {
  const offset = givenOffset()
  offset.observe(1000, 1100, 6000)
  expect(offset.current()).toBe(4950)
  offset.observe(2000, 2010, 6985)
  expect(offset.current()).toBe(4980)
  offset.observe(3000, 3200, 8050)
  expect(offset.current()).toBe(4980)
})

test('an offset that the round trip explains is none: a slow first hello moves no times', () => {
  const offset = givenOffset(1_000_000)
  // The agent stood still for 1.2 s before it read the answer that the server had written at once.
  offset.observe(0, 1200, 1_000_010)
  expect(offset.current()).toBe(0)
  offset.observe(2000, 2010, 1_002_005)
  expect(offset.current()).toBe(0)
})

test('an offset of less than the whole milliseconds that clocks show is none, however quick the round trip', () => {
  const offset = givenOffset()
  offset.observe(0, 0.2, 1)
  expect(offset.current()).toBe(0)
})

test('a slow first round trip gives way to the next quick one', () => {
  const offset = givenOffset()
  offset.observe(0, 1200, 60_010)
  expect(offset.current()).toBe(59_410)
  offset.observe(1300, 1304, 61_302)
  expect(offset.current()).toBe(60_000)
})

test('old round trips are forgotten, so that drift is followed', () => {
  const offset = givenOffset()
  offset.observe(0, 10, 55)
  for (let call = 1; call <= 8; call++) offset.observe(call * 1000, call * 1000 + 20, call * 1000 + 58)
  expect(offset.current()).toBe(48)
})

test('a server clock that was set makes all earlier round trips worthless', () => {
  const offset = givenOffset()
  offset.observe(0, 2, 1)
  offset.observe(1000, 1050, 61_025)
  expect(offset.current()).toBe(60_000)
})

test.each([-3_600_000, 3_600_000])('a wall clock set by %i ms is followed at once', (leapMs) => {
  const offset = givenOffset()
  offset.observe(0, 2, 501)
  expect(offset.current()).toBe(500)
  offset.setWall(leapMs)
  expect(offset.current()).toBe(500 - leapMs)
  offset.observe(1000, 1002, 1501)
  expect(offset.current()).toBe(500 - leapMs)
})
