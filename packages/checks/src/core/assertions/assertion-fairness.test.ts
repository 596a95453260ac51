import { afterEach, describe, expect, it } from 'vitest'
import { systemClock, type Assertion } from '@vedette/wire'
import { AssertionPool } from './assertion-pool.ts'
import { AssertionThreads } from './assertion-threads.ts'
import type { AssertionTask } from './assertions.ts'

const json = (subject: unknown, fields: Partial<Assertion>): AssertionTask => ({
  assertion: { source: 'JSON_BODY', comparison: 'EQUALS', property: '$', target: '', regex: null, ...fields },
  reads: 'jsonPath',
  subject: JSON.stringify(subject),
  keep: 500,
})

/** Quadratic for any engine: every pair of items is compared. */
const slow = (items = 3000): AssertionTask =>
  json(
    { a: Array.from({ length: items }, (_, index) => index) },
    { property: '$.a[?count($.a[?@ > 0]) > 9999]', comparison: 'IS_EMPTY' },
  )
const quick = (): AssertionTask => json({ a: [1] }, { property: '$.a[0]', target: '1' })

const pools: AssertionPool[] = []
const underWay: Promise<unknown>[] = []

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()))
  await Promise.allSettled(underWay.splice(0))
})

function givenPool(limitMs: number) {
  const pool = new AssertionPool({ clock: systemClock, limitMs })
  pools.push(pool)
  let done = 0
  return {
    pool,
    ended: () => done,
    /** Evaluations of as many checks, each slow. */
    burn: (checks: number, items?: number): void => {
      const burning = Array.from({ length: checks }, (_, index) => pool.evaluate([slow(items)], `slow check ${index}`))
      for (const each of burning) each.then(() => (done += 1)).catch(() => undefined)
      underWay.push(...burning)
    },
  }
}

describe('a check with quick assertions', () => {
  it('waits for no more than what runs, however many slow checks wait, though none exceeds its limit', async () => {
    const { pool, burn, ended } = givenPool(20_000)
    await pool.evaluate([quick()], 'innocent')
    burn(8, 500)
    expect(await pool.evaluate([quick()], 'innocent')).toMatchObject([{ passed: true }])
    expect(ended()).toBeLessThanOrEqual(1)
  })

  it('and with those of checks that are known to be slow it shares no thread', { timeout: 60_000 }, async () => {
    // More than what the shared thread allows: what reaches it is known to be slow.
    const { pool, burn, ended } = givenPool(400)
    burn(1)
    await Promise.all(underWay)
    const before = ended()
    const rounds = 8
    for (let round = 0; round < rounds; round += 1) burn(1)
    for (let run = 0; run < 3; run += 1) {
      expect(await pool.evaluate([quick()], `new check ${run}`)).toMatchObject([{ passed: true }])
    }
    expect(ended() - before).toBeLessThan(rounds)
  })
})

describe('slow checks', () => {
  it('are still evaluated within their whole limit', async () => {
    const { pool } = givenPool(20_000)
    expect(await pool.evaluate([slow(500)], 'slow')).toMatchObject([{ passed: true }])
    expect(await pool.evaluate([slow(500)], 'slow')).toMatchObject([{ passed: true }])
  })
})

describe('assertions on an overloaded machine', () => {
  it('are waited for while the process gets no processor, so that the target is not blamed', async () => {
    const starved = new AssertionThreads({ clock: systemClock, size: 1, limitMs: 100, cpuMs: () => 0 })
    const inNoTime = new AssertionThreads({ clock: systemClock, size: 1, limitMs: 100 })
    const turn = { owner: 'check', first: false }
    try {
      expect(await inNoTime.evaluate([slow()], turn)).toMatchObject({ excess: true })
      const began = performance.now()
      expect(await starved.evaluate([slow()], turn)).toMatchObject({ excess: true })
      expect(performance.now() - began).toBeGreaterThan(900)
    } finally {
      await Promise.all([starved.stop(), inNoTime.stop()])
    }
  })
})
