import { expect, test } from 'vitest'
import { throttle } from './throttle.ts'

const setUp = () => {
  let now = 0
  const gate = throttle({ now: () => now, tries: 3, windowMs: 60_000 })
  return { gate, pass: (ms: number) => (now += ms) }
}

test('the third failure in a minute makes the next try wait for the first to leave the window', () => {
  const { gate, pass } = setUp()
  gate.failed('a')
  pass(10_000)
  gate.failed('a')
  expect(gate.waitSeconds('a')).toBe(0)
  gate.failed('a')
  expect(gate.waitSeconds('a')).toBe(50)
  expect(gate.waitSeconds('b')).toBe(0)
  pass(50_001)
  expect(gate.waitSeconds('a')).toBe(0)
})

test('a success forgets the failures', () => {
  const { gate } = setUp()
  for (let i = 0; i < 3; i++) gate.failed('a')
  gate.succeeded('a')
  expect(gate.waitSeconds('a')).toBe(0)
})

test('failures of ever new names do not fill the memory', () => {
  const { gate } = setUp()
  for (let i = 0; i < 3; i++) gate.failed('first')
  expect(gate.waitSeconds('first')).toBe(60)
  for (let i = 0; i < 30_000; i++) gate.failed(`name ${i}`)
  expect(gate.waitSeconds('name 29999')).toBe(0)
  expect(gate.waitSeconds('first')).toBe(0)
})
