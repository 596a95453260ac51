import { describe, expect, it } from 'vitest'
import { Claim, claimsFor } from './claim.ts'

/** The same job as the main thread and a probe thread see it. */
function givenClaims(jobs: number) {
  const memory = claimsFor(jobs)
  const each = Array.from({ length: jobs }, (_, index) => index)
  return { main: each.map((index) => new Claim(memory, index)), thread: each.map((index) => new Claim(memory, index)) }
}

describe('the claim on a job', () => {
  it('lets a job that was taken back not start', () => {
    const { main, thread } = givenClaims(1)
    expect(main[0]?.takeBack()).toBe(true)
    expect(thread[0]?.start()).toBe(false)
    expect(main[0]?.runsForMs()).toBeUndefined()
  })

  it('lets a job that has started not be taken back, and tells for how long it runs', () => {
    const { main, thread } = givenClaims(1)
    expect(main[0]?.runsForMs()).toBeUndefined()
    expect(thread[0]?.start()).toBe(true)
    expect(main[0]?.takeBack()).toBe(false)
    const runsForMs = main[0]?.runsForMs() ?? Number.NaN
    expect(runsForMs).toBeGreaterThanOrEqual(0)
    expect(runsForMs).toBeLessThan(60_000)
  })

  it("is each job's own", () => {
    const { main, thread } = givenClaims(3)
    expect(main[1]?.takeBack()).toBe(true)
    expect(thread.map((claim) => claim.start())).toEqual([true, false, true])
  })
})
