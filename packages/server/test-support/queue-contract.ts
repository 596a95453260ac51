import { randomUUID } from 'node:crypto'
import type { LocationId } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunRef } from '../src/runs.ts'
import { TestClock } from './clock.ts'
import type { LeaseCall, LossReason, OnLost, RunMemory, RunQueue } from '../src/queue/run-queue.ts'
import { RunLedger } from '../src/scheduling/run-ledger.ts'

export const contractLeaseMs = 30_000

/** Makes the queue under test. It must use the clock for every wait. */
export type MakeQueue = (parts: { clock: TestClock; memory: RunMemory; onLost: OnLost }) => RunQueue

/** A run of a new check, due now, at one location. */
function someRef(clock: TestClock, more: Partial<RunRef> = {}): RunRef {
  const checkId = more.checkId ?? randomUUID()
  const dueAt = more.dueAt ?? clock.now()
  const location = more.location ?? 'eu-west-1'
  const sequence = sequenceId(checkId, dueAt, location)
  const attempt = more.attempt ?? 0
  return {
    attemptId: attemptId(sequence, dueAt, attempt),
    sequenceId: sequence,
    accountId: randomUUID(),
    checkId,
    revision: 1,
    type: 'API',
    dueAt,
    location,
    workerClass: 'network',
    attempt,
    source: 'SCHEDULER',
    ...more,
  }
}

interface Harness {
  clock: TestClock
  queue: RunQueue
  memory: RunMemory
  lost: [string, LossReason][]
  lease(more?: Partial<LeaseCall>): Promise<string[]>
  renew(keyId: string, attemptIds: readonly string[], limitMs?: number): Promise<string[]>
}

/** The contract of every queue. */
export function runQueueContract(name: string, make: MakeQueue): void {
  describe(`${name} keeps the contract of a run queue`, () => {
    const h = {} as Harness

    beforeEach(() => {
      h.clock = new TestClock()
      h.lost = []
      h.memory = new RunLedger(h.clock)
      const onLost: OnLost = (ref, reason) => h.lost.push([ref.attemptId, reason])
      h.queue = make({ clock: h.clock, memory: h.memory, onLost })
      h.lease = async (more = {}) => {
        const runs = await h.queue.lease({ ...agent('a'), ...more })
        return runs.map((run) => run.ref.attemptId)
      }
      h.renew = (keyId, attemptIds, limitMs = Infinity) =>
        h.queue.renew(
          keyId,
          attemptIds.map((attemptId) => ({ attemptId, leasedAt: h.clock.now(), limitMs })),
        )
      h.queue.start()
    })
    afterEach(() => h.queue.stop())

    describe('handing out', () => handingOut(h))
    describe('taking turns', () => takingTurns(h))
    describe('waiting for work', () => waitingForWork(h))
    describe('expiry', () => expiry(h))
    describe('expiry for good', () => lastExpiry(h))
    describe('giving up and giving back', () => givingUp(h))
    describe('agents that bring runs along', () => bringingAlong(h))
  })
}

function agent(name: string, more: Partial<LeaseCall> = {}): LeaseCall {
  return {
    keyId: `key-${name}`,
    agentId: `agent-${name}`,
    locations: new Set<LocationId>(['eu-west-1']),
    free: { network: 10 },
    waitMs: 0,
    signal: new AbortController().signal,
    ...more,
  }
}

function handingOut(h: Harness): void {
  it('hands a run to one agent only', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    expect(await h.lease()).toEqual([ref.attemptId])
    expect(await h.lease(agent('b'))).toEqual([])
  })

  it('says when the lease began and when it ends', async () => {
    await h.queue.enqueue([someRef(h.clock)])
    const [run] = await h.queue.lease(agent('a'))
    expect(run).toMatchObject({ leasedAt: h.clock.now(), expiresAt: h.clock.now() + contractLeaseMs })
  })

  it('hands out only runs of the locations and worker classes asked for, and no more than there is free capacity', async () => {
    const here = [someRef(h.clock), someRef(h.clock), someRef(h.clock)]
    const elsewhere = someRef(h.clock, { location: 'us-east-1' })
    const browser = someRef(h.clock, { workerClass: 'browser' })
    await h.queue.enqueue([...here, elsewhere, browser])
    expect(await h.lease({ free: { network: 2 } })).toEqual(here.slice(0, 2).map((ref) => ref.attemptId))
    expect(await h.lease({ locations: new Set<LocationId>(['us-east-1']) })).toEqual([elsewhere.attemptId])
    expect(await h.lease({ free: { browser: 1, network: 0 } })).toEqual([browser.attemptId])
    expect(h.queue.depth()).toEqual({ waiting: 1, leased: 4 })
  })

  it('hands out the longest waiting first, whatever its location', async () => {
    const first = someRef(h.clock, { location: 'us-east-1' })
    await h.queue.enqueue([first])
    await h.clock.advance(10)
    const second = someRef(h.clock)
    await h.queue.enqueue([second])
    const locations = new Set<LocationId>(['eu-west-1', 'us-east-1'])
    expect(await h.lease({ locations, free: { network: 1 } })).toEqual([first.attemptId])
  })

  it('takes a run once while it waits, while it runs and after it ended', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref, ref])
    await h.queue.enqueue([ref])
    expect(await h.lease()).toEqual([ref.attemptId])
    await h.queue.enqueue([ref])
    expect(await h.lease()).toEqual([])
    h.memory.end([ref.attemptId])
    await h.queue.enqueue([ref])
    expect(await h.lease()).toEqual([])
    expect(h.queue.depth()).toEqual({ waiting: 0, leased: 0 })
  })
}

function takingTurns(h: Harness): void {
  const one = { free: { network: 1 } }

  it('hands no check a second run before another one that waits has had one', async () => {
    const checkId = randomUUID()
    const many = [0, 1, 2].map((n) => someRef(h.clock, { checkId, dueAt: h.clock.now() + n }))
    const others = [someRef(h.clock), someRef(h.clock)]
    await h.queue.enqueue(many)
    await h.queue.enqueue(others)
    const order = [many[0], others[0], others[1], many[1], many[2]]
    for (const ref of order) expect(await h.lease(one)).toEqual([ref?.attemptId])
    await h.queue.enqueue([someRef(h.clock, { checkId, dueAt: h.clock.now() + 5 })])
    expect(await h.lease(one)).toHaveLength(1)
  })

  it('forgets all that waits for a dropped check, and takes new runs of it', async () => {
    const checkId = randomUUID()
    await h.queue.enqueue([0, 1, 2].map((n) => someRef(h.clock, { checkId, dueAt: h.clock.now() + n })))
    await h.queue.dropCheck(checkId)
    expect(h.queue.depth()).toEqual({ waiting: 0, leased: 0 })
    const later = someRef(h.clock, { checkId, dueAt: h.clock.now() + 9 })
    await h.queue.enqueue([later])
    expect(await h.lease()).toEqual([later.attemptId])
  })

  it('hands urgent runs out before steady ones, whatever their location', async () => {
    const steady = [someRef(h.clock), someRef(h.clock, { location: 'us-east-1' })]
    await h.queue.enqueue(steady)
    await h.clock.advance(1000)
    const urgent = [someRef(h.clock, { location: 'us-east-1' }), someRef(h.clock)]
    await h.queue.enqueue(urgent, 'urgent')
    const locations = new Set<LocationId>(['eu-west-1', 'us-east-1'])
    const ids = await h.lease({ locations })
    expect(ids.slice(0, 2).toSorted()).toEqual(urgent.map(({ attemptId }) => attemptId).toSorted())
    expect(ids.slice(2).toSorted()).toEqual(steady.map(({ attemptId }) => attemptId).toSorted())
  })

  it('hands out a steady run before urgent ones when it waited minutes longer, so that none is starved', async () => {
    const steady = someRef(h.clock)
    await h.queue.enqueue([steady])
    await h.clock.advance(100_000)
    const early = someRef(h.clock)
    await h.queue.enqueue([early], 'urgent')
    await h.clock.advance(100_000)
    const late = someRef(h.clock)
    await h.queue.enqueue([late], 'urgent')
    const order = [early, steady, late].map(({ attemptId }) => attemptId)
    expect(await h.lease()).toEqual(order)
  })

  it('keeps the urgency of a run that is handed back', async () => {
    const urgent = someRef(h.clock)
    await h.queue.enqueue([urgent], 'urgent')
    await h.lease()
    await h.queue.enqueue([someRef(h.clock)])
    await h.queue.release('key-a', [urgent.attemptId])
    expect(await h.lease(one)).toEqual([urgent.attemptId])
  })
}

function waitingForWork(h: Harness): void {
  it('answers a long poll the moment a run arrives', async () => {
    const poll = h.lease({ waitMs: 20_000 })
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    expect(await poll).toEqual([ref.attemptId])
  })

  it('answers a long poll with nothing when its time is over', async () => {
    const poll = h.lease({ waitMs: 20_000 })
    await h.clock.advance(20_000)
    expect(await poll).toEqual([])
  })

  it('does not hand a run to an agent that hung up', async () => {
    const gone = new AbortController()
    const poll = h.lease({ waitMs: 20_000, signal: gone.signal })
    gone.abort()
    expect(await poll).toEqual([])
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    expect(await h.lease(agent('b'))).toEqual([ref.attemptId])
  })

  it('shares a burst among the agents that wait', async () => {
    const polls = ['a', 'b', 'c'].map((name) => h.lease(agent(name, { waitMs: 20_000 })))
    await h.queue.enqueue(Array.from({ length: 9 }, () => someRef(h.clock)))
    expect((await Promise.all(polls)).map((ids) => ids.length)).toEqual([3, 3, 3])
  })

  it('ends long polls with nothing when it stops', async () => {
    const poll = h.lease({ waitMs: 20_000 })
    await h.queue.stop()
    expect(await poll).toEqual([])
  })
}

function expiry(h: Harness): void {
  it('keeps a lease as long as it is renewed', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    for (let i = 0; i < 10; i++) {
      await h.clock.advance(contractLeaseMs - 5000)
      expect(await h.renew('key-a', [ref.attemptId])).toEqual([])
    }
    expect(await h.lease(agent('b'))).toEqual([])
  })

  it('renews a lease up to the limit of its run, and then issues the run again', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    for (let i = 0; i < 4; i++) {
      await h.clock.advance(20_000)
      expect(await h.renew('key-a', [ref.attemptId], 90_000)).toEqual([])
    }
    await h.clock.advance(12_000)
    expect(await h.renew('key-a', [ref.attemptId], 90_000)).toEqual([ref.attemptId])
    expect(await h.renew('key-a', [ref.attemptId], 90_000)).toEqual([ref.attemptId])
    expect(await h.lease(agent('b'))).toEqual([ref.attemptId])
  })

  it('keeps to the limit of a run whose agent says again and again that it holds it', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.queue.supersede([ref.attemptId])
    expect(await h.renew('key-a', [ref.attemptId], 90_000)).toEqual([])
    for (let i = 0; i < 5; i++) {
      await h.clock.advance(20_000)
      await h.queue.adopt('key-a', [ref.attemptId], new Set<LocationId>(['eu-west-1']))
    }
    expect(h.lost).toEqual([[ref.attemptId, 'lease-lost']])
  })

  it('counts the limit of a run from before a restart from its lease', async () => {
    const ref = someRef(h.clock)
    const held = { attemptId: ref.attemptId, leasedAt: h.clock.now() - 91_000, limitMs: 90_000 }
    expect(await h.queue.renew('key-a', [held])).toEqual([ref.attemptId])
  })

  it('issues a run again, once, after its lease ran out', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    const poll = h.lease(agent('b', { waitMs: 60_000 }))
    await h.clock.advance(contractLeaseMs + 1000)
    expect(await poll).toEqual([ref.attemptId])
    expect(await h.renew('key-a', [ref.attemptId])).toEqual([ref.attemptId])
    expect(h.lost).toEqual([])
    await h.clock.advance(contractLeaseMs + 1000)
    expect(h.lost).toEqual([[ref.attemptId, 'lease-lost']])
    expect(await h.lease(agent('c'))).toEqual([])
    expect(await h.renew('key-b', [ref.attemptId])).toEqual([ref.attemptId])
  })

  it('prefers another agent for the second try, but takes the same one when it is alone', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.clock.advance(contractLeaseMs + 1000)
    const same = h.lease({ waitMs: 60_000 })
    expect(h.queue.depth()).toEqual({ waiting: 1, leased: 0 })
    await h.clock.advance(15_000)
    expect(await same).toEqual([ref.attemptId])
  })

  it('lets the agent that comes back in time keep its run', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.clock.advance(contractLeaseMs + 1000)
    expect(await h.renew('key-a', [ref.attemptId])).toEqual([])
    expect(await h.lease(agent('b'))).toEqual([])
  })
}

function lastExpiry(h: Harness): void {
  it('gives a run up at its first expiry when the next slot of its check is due', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.queue.supersede([ref.attemptId])
    await h.clock.advance(contractLeaseMs + 1000)
    expect(h.lost).toEqual([[ref.attemptId, 'lease-lost']])
  })

  it('gives a second try up that finds no agent within 300 s', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.clock.advance(contractLeaseMs + 290_000)
    expect(h.lost).toEqual([])
    await h.clock.advance(12_000)
    expect(h.lost).toEqual([[ref.attemptId, 'lease-lost']])
  })
}

function givingUp(h: Harness): void {
  it('gives a run up as missed after six minutes without an agent', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.clock.advance(359_000)
    expect(h.lost).toEqual([])
    await h.clock.advance(2000)
    expect(h.lost).toEqual([[ref.attemptId, 'missed']])
    expect(await h.lease()).toEqual([])
  })

  it('counts the wait of a retry from its arrival, not from the slot of its run', async () => {
    const ref = someRef(h.clock, { dueAt: h.clock.now() - 500_000, attempt: 1 })
    await h.queue.enqueue([ref])
    await h.clock.advance(300_000)
    expect(h.lost).toEqual([])
    expect(await h.lease()).toEqual([ref.attemptId])
  })

  it('makes a released run available at once, as if it had never been out', async () => {
    const ref = someRef(h.clock)
    const later = someRef(h.clock)
    await h.queue.enqueue([ref, later])
    expect(await h.lease({ free: { network: 1 } })).toEqual([ref.attemptId])
    const poll = h.lease(agent('b', { waitMs: 1000, free: { network: 1 } }))
    expect(await poll).toEqual([later.attemptId])
    await h.queue.release('key-a', [ref.attemptId])
    expect(await h.lease()).toEqual([ref.attemptId])
    await h.clock.advance(contractLeaseMs + 1000)
    expect(h.lost).toEqual([])
  })

  it('takes a release only from the key that holds the lease', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.queue.release('key-b', [ref.attemptId])
    expect(await h.lease(agent('b'))).toEqual([])
  })

  it('forgets what waits for a dropped check and leaves others', async () => {
    const dropped = someRef(h.clock)
    const kept = someRef(h.clock)
    await h.queue.enqueue([dropped, kept])
    await h.queue.dropCheck(dropped.checkId)
    expect(await h.lease()).toEqual([kept.attemptId])
    await h.clock.advance(400_000)
    expect(h.lost.map(([id]) => id)).not.toContain(dropped.attemptId)
  })
}

function bringingAlong(h: Harness): void {
  const here = new Set<LocationId>(['eu-west-1'])

  it('does not believe an agent about runs of locations it does not serve', async () => {
    const ref = someRef(h.clock)
    const waiting = someRef(h.clock)
    await h.queue.enqueue([waiting])
    await h.queue.adopt('key-x', [ref.attemptId, waiting.attemptId], new Set<LocationId>(['us-east-1']))
    await h.queue.enqueue([ref])
    expect((await h.lease()).toSorted()).toEqual([ref.attemptId, waiting.attemptId].toSorted())
  })

  it('keeps a run whose lease an agent renews after a restart of the queue', async () => {
    const ref = someRef(h.clock)
    expect(await h.renew('key-a', [ref.attemptId])).toEqual([])
    await h.queue.enqueue([ref])
    expect(await h.lease(agent('b'))).toEqual([])
  })

  it('does not issue a run that an agent says it holds', async () => {
    const ref = someRef(h.clock)
    await h.queue.adopt('key-a', [ref.attemptId], here)
    await h.queue.enqueue([ref])
    expect(await h.lease(agent('b'))).toEqual([])
    expect(await h.renew('key-a', [ref.attemptId])).toEqual([])
    h.memory.end([ref.attemptId])
    expect(h.queue.depth()).toEqual({ waiting: 0, leased: 0 })
  })

  it('issues it after all when the agent is not heard of again', async () => {
    const ref = someRef(h.clock)
    await h.queue.adopt('key-a', [ref.attemptId], here)
    await h.queue.enqueue([ref])
    const poll = h.lease(agent('b', { waitMs: 60_000 }))
    await h.clock.advance(contractLeaseMs + 1000)
    expect(await poll).toEqual([ref.attemptId])
  })

  it('leaves a run with the key that has it, whatever another key says', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.queue.adopt('key-b', [ref.attemptId], here)
    expect(await h.renew('key-b', [ref.attemptId])).toEqual([ref.attemptId])
    expect(await h.renew('key-a', [ref.attemptId])).toEqual([])
  })
}
