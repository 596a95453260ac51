import type { LocationId } from '@vedette/wire'
import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, contractLeaseMs, type Harness } from './harness.ts'

/** Agents bring runs along. */
export function bringingAlong(h: Harness): void {
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
