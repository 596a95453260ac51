import { expect, it } from 'vitest'
import { someRef } from '../runs.ts'
import { agent, type Harness } from './harness.ts'

/** The queue starts and stops with the leadership. */
export function terms(h: Harness): void {
  it('begins with an empty queue, whatever calls came after the last one', async () => {
    await h.queue.enqueue([someRef(h.clock)])
    await h.queue.stop()
    const late = someRef(h.clock)
    await h.queue.enqueue([late])
    await h.renew('key-a', [someRef(h.clock).attemptId])
    h.queue.start()
    expect(h.queue.depth()).toEqual({ waiting: 0, leased: 0 })
    expect(await h.lease(agent('b'))).toEqual([])
  })
}
