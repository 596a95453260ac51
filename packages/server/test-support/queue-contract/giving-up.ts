import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, contractLeaseMs, type Harness } from './harness.ts'

/** Runs that are given up or given back. */
export function givingUp(h: Harness): void {
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

  it('makes what a key holds available at once when the key is no longer valid, and nothing of others', async () => {
    const refs = [someRef(h.clock), someRef(h.clock), someRef(h.clock)]
    const ids = refs.map(({ attemptId }) => attemptId)
    await h.queue.enqueue(refs)
    const held = await h.lease({ free: { network: 2 } })
    const others = await h.lease(agent('b'))
    await h.queue.releaseOf('key-a')
    expect(h.queue.depth()).toEqual({ waiting: 2, leased: 1 })
    expect((await h.lease(agent('b'))).toSorted()).toEqual(held.toSorted())
    expect([...held, ...others].toSorted()).toEqual(ids.toSorted())
    expect(h.lost).toEqual([])
  })

  it('takes a release only from the key that holds the lease', async () => {
    const ref = someRef(h.clock)
    await h.queue.enqueue([ref])
    await h.lease()
    await h.queue.release('key-b', [ref.attemptId])
    expect(await h.lease(agent('b'))).toEqual([])
  })

  it('gives up what waits for a check where no agent will ask, and leaves what is under way or elsewhere', async () => {
    const waiting = someRef(h.clock, { location: 'us-east-1' })
    const { checkId } = waiting
    const elsewhere = someRef(h.clock, { checkId, location: 'eu-west-1' })
    const ofAnother = someRef(h.clock, { location: 'us-east-1' })
    await h.queue.enqueue([elsewhere])
    expect(await h.lease()).toEqual([elsewhere.attemptId])
    await h.queue.enqueue([waiting, ofAnother])
    await h.queue.giveUpAt('us-east-1', checkId)
    await h.queue.giveUpAt('eu-west-1', checkId)
    expect(h.lost).toEqual([[waiting.attemptId, 'no-agent-yet']])
    expect(h.queue.depth()).toMatchObject({ waiting: 1, leased: 1 })
  })

  it('forgets what waits for a dropped check and leaves others', async () => {
    const dropped = someRef(h.clock)
    const kept = someRef(h.clock)
    await h.queue.enqueue([dropped, kept])
    expect(await h.queue.dropCheck(dropped.checkId)).toEqual([])
    expect(await h.lease()).toEqual([kept.attemptId])
    expect(await h.queue.dropCheck(kept.checkId)).toEqual([kept.attemptId])
    await h.clock.advance(400_000)
    expect(h.lost.map(([id]) => id)).not.toContain(dropped.attemptId)
  })
}
