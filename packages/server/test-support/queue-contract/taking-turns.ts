import { randomUUID } from 'node:crypto'
import type { LocationId } from '@vedette/wire'
import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import type { Harness } from './harness.ts'

/** Checks take turns, urgent runs first. */
export function takingTurns(h: Harness): void {
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
