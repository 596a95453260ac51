import type { LocationId } from '@vedette/wire'
import type { LeaseCall, LossReason, OnLost, RunMemory, RunQueue } from '../../src/queue/run-queue.ts'
import type { TestClock } from '../clock.ts'

export const contractLeaseMs = 30_000

/** Makes the queue under test. It must use the clock for every wait. */
export type MakeQueue = (parts: { clock: TestClock; memory: RunMemory; onLost: OnLost }) => RunQueue

/** The queue under test, and what surrounds it. */
export interface Harness {
  clock: TestClock
  queue: RunQueue
  memory: RunMemory
  lost: [string, LossReason][]
  lease(more?: Partial<LeaseCall>): Promise<string[]>
  renew(keyId: string, attemptIds: readonly string[], limitMs?: number): Promise<string[]>
}

/** The call of an agent with capacity. */
export function agent(name: string, more: Partial<LeaseCall> = {}): LeaseCall {
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
