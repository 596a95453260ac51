import type { LocationId } from '@vedette/wire'
import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, contractLeaseMs, type Harness } from './harness.ts'

/** Leases are renewed, and expire. */
export function expiry(h: Harness): void {
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

/** Expiry for good. */
export function lastExpiry(h: Harness): void {
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
