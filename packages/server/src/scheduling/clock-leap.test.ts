import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { PendingRun, RunRef } from '../runs.ts'
import { Availability } from './availability.ts'
import { RunLedger } from './run-ledger.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import { TestClock } from '../../test-support/clock.ts'
import { someRef } from '../../test-support/runs.ts'
import { scheduledCheck, schedulerOf } from '../../test-support/schedule.ts'

const minute = 60_000
const hour = 60 * minute

const check = scheduledCheck()

function given(clock: TestClock, checks: ScheduledCheck[] = [check]) {
  const ledger = new RunLedger(clock)
  const availability = new Availability(clock, () => new Set())
  const started: RunRef[] = []
  const skipped: { from: number; to: number; reason: string }[] = []
  const lost: string[] = []
  const enqueue = (refs: readonly RunRef[]) => {
    availability.asked(new Set(['eu-west-1'] as const))
    started.push(...refs)
    for (const ref of refs) ledger.end([ref.attemptId])
    return Promise.resolve()
  }
  const scheduler = schedulerOf({
    clock,
    queue: { enqueue, supersede: () => Promise.resolve(), giveUpAt: () => Promise.resolve() },
    ledger,
    availability,
    onLost: (ref) => lost.push(ref.attemptId),
    onSkipped: (span) => skipped.push(span),
  })
  scheduler.start(checks, [], undefined)
  return { scheduler, availability, started, skipped, lost }
}

const distinct = (runs: readonly RunRef[]) => new Set(runs.map(({ attemptId }) => attemptId)).size

describe('a clock that is set back', () => {
  it('lets a check go on at once when it was ahead before', async () => {
    const clock = new TestClock()
    clock.setWall(5 * hour)
    const { scheduler, started } = given(clock)
    await clock.advance(10 * minute)
    const before = started.length
    clock.setWall(-5 * hour)
    await clock.advance(10 * minute)
    expect(started.length - before).toBeGreaterThanOrEqual(9)
    // The second run of a slot counts as due up to a second later, so that it has an id of its own.
    expect(started.at(-1)!.dueAt).toBeLessThanOrEqual(clock.now() + 1000)
    scheduler.stop()
  })

  it('gives no run the id of one that was at the same time before', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    await clock.advance(70 * minute)
    for (let leap = 1; leap <= 2; leap++) {
      clock.setWall(-hour)
      const before = started.length
      await clock.advance(10 * minute)
      expect(started.length - before).toBeGreaterThanOrEqual(9)
    }
    await clock.advance(3 * hour)
    expect(distinct(started)).toBe(started.length)
    scheduler.stop()
  })

  it('by seconds only delays a check, and runs no slot twice', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    for (let n = 0; n < 30; n++) {
      await clock.advance(20_000)
      clock.setWall(-2000)
    }
    const dues = started.map(({ dueAt }) => dueAt)
    for (const [at, due] of dues.slice(1).entries()) expect(due - dues[at]!).toBe(minute)
    scheduler.stop()
  })

  it('does not make a retry wait for longer than its back-off', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock, [{ ...check, frequency: 1440, frequencyOffset: 1 }])
    scheduler.putOneShot(retryIn(clock, 90_000))
    clock.setWall(-hour)
    await clock.advance(3 * minute)
    expect(started).toHaveLength(1)
    scheduler.stop()
  })
})

describe('a clock that is set forward by an hour', () => {
  it('does not postpone a run that is requested before the schedule has looked again', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    await clock.advance(2 * minute)
    clock.setWall(hour)
    const retry = retryIn(clock, 1000)
    scheduler.putOneShot(retry)
    await clock.advance(minute)
    expect(started.map(({ attemptId }) => attemptId)).toContain(retry.attemptId)
  })

  it('costs one gap, no flood, and no location', async () => {
    const clock = new TestClock()
    const checks = Array.from({ length: 20 }, () => ({ ...check, checkId: randomUUID() }))
    const { scheduler, availability, started, skipped, lost } = given(clock, checks)
    await clock.advance(10 * minute)
    const before = started.length
    clock.setWall(hour)
    expect(availability.hasAgent('eu-west-1')).toBe(true)
    await clock.advance(10 * minute)
    expect(started.length - before).toBeLessThanOrEqual(11 * checks.length)
    expect(started.length - before).toBeGreaterThanOrEqual(10 * checks.length)
    expect(skipped).toMatchObject([{ reason: expect.stringContaining('clock') }])
    expect([distinct(started), lost]).toEqual([started.length, []])
    scheduler.stop()
  })

  it('gives no retry up', async () => {
    const clock = new TestClock()
    const { scheduler, started, lost } = given(clock, [{ ...check, frequency: 1440, frequencyOffset: 1 }])
    const retry = retryIn(clock, 90_000)
    scheduler.putOneShot(retry)
    clock.setWall(hour)
    await clock.advance(3 * minute)
    expect([started.map(({ attemptId }) => attemptId), lost]).toEqual([[retry.attemptId], []])
    scheduler.stop()
  })
})

const retryIn = (clock: TestClock, backOffMs: number): PendingRun => ({
  ...someRef(clock, { checkId: check.checkId, dueAt: clock.now() - 1000, attempt: 1 }),
  runAt: clock.now() + backOffMs,
})

it('the run of a lost agent is given to another one soon after a clock was set back', async () => {
  const clock = new TestClock()
  const queue = new MemoryQueue({ clock, memory: new RunLedger(clock), leaseMs: 30_000, onLost: () => undefined })
  queue.start()
  const lease = (agentId: string) =>
    queue.lease({
      keyId: 'key',
      agentId,
      locations: new Set(['eu-west-1']),
      free: { network: 1 },
      waitMs: 0,
      signal: new AbortController().signal,
    })
  await queue.enqueue([someRef(clock)])
  expect(await lease('lost')).toHaveLength(1)
  clock.setWall(-5 * hour)
  await clock.advance(33_000)
  expect(await lease('other')).toHaveLength(1)
  await queue.stop()
})

it('a clock set forward takes no run from its agent', async () => {
  const clock = new TestClock()
  const lost: string[] = []
  const onLost = (ref: RunRef) => lost.push(ref.attemptId)
  const queue = new MemoryQueue({ clock, memory: new RunLedger(clock), leaseMs: 30_000, onLost })
  queue.start()
  const [ref, waiting] = [someRef(clock), someRef(clock)]
  await queue.enqueue([ref, waiting])
  const locations = new Set(['eu-west-1'] as const)
  const call = { keyId: 'key', agentId: 'a', locations, waitMs: 0, signal: new AbortController().signal }
  const [leased] = await queue.lease({ ...call, free: { network: 1 } })
  clock.setWall(hour)
  await clock.advance(20_000)
  const held = { attemptId: ref.attemptId, leasedAt: leased!.leasedAt, limitMs: 90_000 }
  expect(await queue.renew('key', [held])).toEqual([])
  expect(queue.depth()).toEqual({ waiting: 1, leased: 1 })
  expect(lost).toEqual([])
  await queue.stop()
})
