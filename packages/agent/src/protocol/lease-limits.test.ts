import { expect, test } from 'vitest'
import { LeaseLimits } from './lease-limits.ts'

test('a lease is renewed for the time limit of its run and a minute', () => {
  let now = 1000
  const limits = new LeaseLimits({ monotonic: () => now })
  limits.start({ attemptId: 'one', timeoutMs: 30_000 })
  now += 89_999
  limits.start({ attemptId: 'two', timeoutMs: 1000 })
  expect([limits.isOver('one'), limits.isOver('two')]).toEqual([false, false])
  now += 1
  expect([limits.isOver('one'), limits.isOver('two')]).toEqual([true, false])
})

test('a lease that the agent does not hold is not renewed', () => {
  const limits = new LeaseLimits({ monotonic: () => 0 })
  limits.start({ attemptId: 'one', timeoutMs: 1000 })
  limits.start({ attemptId: 'two', timeoutMs: 1000 })
  limits.keepOnly(['two'])
  expect([limits.isOver('one'), limits.isOver('two')]).toEqual([true, false])
})

test('limits that are over are forgotten, also while no renewal tells what the agent holds', () => {
  let now = 0
  const limits = new LeaseLimits({ monotonic: () => now })
  for (let nth = 0; nth < 1000; nth++) {
    limits.start({ attemptId: `run ${nth}`, timeoutMs: nth % 2 === 0 ? 30_000 : 1000 })
    now += 1000
  }
  expect(limits.size).toBeLessThanOrEqual(91)
  expect([limits.isOver('run 0'), limits.isOver('run 998')]).toEqual([true, false])
})
