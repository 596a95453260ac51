import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { RunRef } from '../runs.ts'
import { Outlook } from './outlook.ts'
import { RunLedger } from './run-ledger.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import { Scheduler } from './scheduler.ts'
import { TestClock } from '../../test-support/clock.ts'

const hour = 3_600_000

const check: ScheduledCheck = {
  checkId: randomUUID(),
  frequency: 1,
  frequencyOffset: 1,
  accountId: randomUUID(),
  revision: 1,
  type: 'API',
  workerClass: 'network',
  locations: ['eu-west-1'],
  runParallel: false,
  scheduledFrom: 0,
  lastDueAt: undefined,
}

it('a check goes on at once when a clock that was ahead is set right', async () => {
  const clock = new TestClock()
  const ledger = new RunLedger(clock)
  const queue = new MemoryQueue({ clock, memory: ledger, leaseMs: 30_000, onLost: () => undefined })
  const started: RunRef[] = []
  queue.enqueue = (refs) => {
    started.push(...refs)
    for (const ref of refs) ledger.end([ref.attemptId])
    return Promise.resolve()
  }
  const nothing = () => undefined
  const yes = () => true
  const scheduler = new Scheduler({
    clock,
    queue,
    ledger,
    outlook: new Outlook(),
    mayRun: yes,
    availability: { hasAgent: yes, isFirstRefusal: yes, leaveOut: nothing, slept: nothing },
    onLost: nothing,
    onOverlap: nothing,
    onSkipped: nothing,
    onDropped: nothing,
    log: { error: nothing },
  })
  clock.setWall(5 * hour)
  scheduler.start([check], [], undefined)
  await clock.advance(10 * 60_000)
  const before = started.length
  clock.setWall(-5 * hour)
  await clock.advance(10 * 60_000)
  expect(started.length - before).toBeGreaterThanOrEqual(8)
  expect(started.at(-1)!.dueAt).toBeLessThanOrEqual(clock.now())
  scheduler.stop()
})

it('the run of a lost agent is given to another one soon after a clock was set back', async () => {
  const clock = new TestClock()
  const queue = new MemoryQueue({ clock, memory: new RunLedger(clock), leaseMs: 30_000, onLost: () => undefined })
  queue.start()
  const ref: RunRef = {
    attemptId: randomUUID(),
    sequenceId: randomUUID(),
    accountId: check.accountId,
    checkId: check.checkId,
    revision: 1,
    type: 'API',
    dueAt: clock.now(),
    location: 'eu-west-1',
    workerClass: 'network',
    attempt: 0,
    source: 'SCHEDULER',
  }
  const lease = (agentId: string) =>
    queue.lease({
      keyId: 'key',
      agentId,
      locations: new Set(['eu-west-1']),
      free: { network: 1 },
      waitMs: 0,
      signal: new AbortController().signal,
    })
  await queue.enqueue([ref])
  expect(await lease('lost')).toHaveLength(1)
  clock.setWall(-5 * hour)
  await clock.advance(33_000)
  expect(await lease('other')).toHaveLength(1)
  await queue.stop()
})
