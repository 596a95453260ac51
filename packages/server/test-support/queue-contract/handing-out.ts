import type { LocationId } from '@vedette/wire'
import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, contractLeaseMs, type Harness } from './harness.ts'

/** Runs are handed out once, to whom they suit. */
export function handingOut(h: Harness): void {
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
  it('tells where runs wait, how many and for how long, as long as they are not handed out', async () => {
    await h.queue.enqueue([someRef(h.clock), someRef(h.clock, { location: 'us-east-1' })])
    await h.clock.advance(30_000)
    await h.queue.enqueue([someRef(h.clock)])
    await h.clock.advance(10_000)
    expect(h.queue.waitingAt()).toEqual([
      { location: 'eu-west-1', count: 2, oldestMs: 40_000 },
      { location: 'us-east-1', count: 1, oldestMs: 40_000 },
    ])
    await h.lease()
    expect(h.queue.waitingAt()).toEqual([{ location: 'us-east-1', count: 1, oldestMs: 40_000 }])
  })
}
