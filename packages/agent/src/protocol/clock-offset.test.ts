import { expect, test } from 'vitest'
import { createClockOffset } from './clock-offset.ts'

test('without a sample the clocks are taken to agree', () => {
  expect(createClockOffset().current()).toBe(0)
})

test('the quickest of the last round trips counts', () => {
  const offset = createClockOffset()
  offset.observe(1000, 1100, 6000)
  expect(offset.current()).toBe(4950)
  offset.observe(2000, 2010, 6985)
  expect(offset.current()).toBe(4980)
  offset.observe(3000, 3200, 8050)
  expect(offset.current()).toBe(4980)
})

test('old round trips are forgotten, so that drift is followed', () => {
  const offset = createClockOffset()
  offset.observe(0, 10, 5)
  for (let call = 1; call <= 8; call++) offset.observe(call * 1000, call * 1000 + 20, call * 1000 + 18)
  expect(offset.current()).toBe(8)
})

test('a clock that was set makes all earlier round trips worthless', () => {
  const offset = createClockOffset()
  offset.observe(0, 2, 1)
  offset.observe(1000, 1050, 61_025)
  expect(offset.current()).toBe(60_000)
})

test('a round trip during which the own clock went back is no sample', () => {
  const offset = createClockOffset()
  offset.observe(1000, 900, 5000)
  expect(offset.current()).toBe(0)
})
