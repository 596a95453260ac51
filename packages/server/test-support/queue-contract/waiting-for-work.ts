import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, type Harness } from './harness.ts'

/** Long polls. */
export function waitingForWork(h: Harness): void {
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
