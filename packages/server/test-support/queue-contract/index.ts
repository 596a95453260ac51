import { afterEach, beforeEach, describe } from 'vitest'
import type { OnLost } from '../../src/queue/run-queue.ts'
import { RunLedger } from '../../src/scheduling/run-ledger.ts'
import { TestClock } from '../clock.ts'
import { bringingAlong } from './bringing-along.ts'
import { expiry, lastExpiry } from './expiry.ts'
import { givingUp } from './giving-up.ts'
import { handingOut } from './handing-out.ts'
import { agent, type Harness, type MakeQueue } from './harness.ts'
import { takingTurns } from './taking-turns.ts'
import { terms } from './terms.ts'
import { waitingForWork } from './waiting-for-work.ts'

export { contractLeaseMs } from './harness.ts'

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
    describe('a term', () => terms(h))
  })
}
