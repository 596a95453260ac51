import { afterAll, describe, expect, it } from 'vitest'
import { systemClock, type Assertion } from '@vedette/wire'
import { AssertionPool } from './assertion-pool.ts'
import type { AssertionTask } from './assertions.ts'

const assertion = (fields: Partial<Assertion>): Assertion => ({
  source: 'JSON_BODY',
  comparison: 'EQUALS',
  property: '$',
  target: '',
  regex: null,
  ...fields,
})
const json = (subject: string, fields: Partial<Assertion>): AssertionTask => ({
  assertion: assertion(fields),
  reads: 'jsonPath',
  subject,
  keep: 500,
})

/** Quadratic for any engine: every pair of items is compared. */
const slow = (): AssertionTask =>
  json(JSON.stringify({ a: Array.from({ length: 3000 }, (_, i) => i) }), {
    property: '$.a[?count($.a[?@ > 0]) > 9999]',
    comparison: 'IS_EMPTY',
  })

describe('the assertion pool', () => {
  const pool = new AssertionPool({ clock: systemClock, limitMs: 300 })
  afterAll(() => pool.stop())

  it('answers in the order of the tasks', async () => {
    const findings = await pool.evaluate([
      json('{"a":1}', { property: '$.a', target: '1' }),
      json('{"a":1}', { property: '$.a', target: '2' }),
      {
        assertion: assertion({ source: 'TEXT_BODY', property: 'a=(\\d)', target: '7' }),
        reads: 'regex',
        subject: 'a=7',
        keep: 500,
      },
    ])
    expect(findings).toEqual([
      { passed: true, actual: '1', problem: null },
      { passed: false, actual: '1', problem: null },
      { passed: true, actual: '7', problem: null },
    ])
  })

  it('fails an assertion that takes too long, keeps what came before it and goes on with other work', async () => {
    const fast = json('{"a":1}', { property: '$.a', target: '1' })
    const [before, guilty, after] = await pool.evaluate([fast, slow(), fast])
    expect(guilty).toEqual({ passed: false, actual: null, problem: 'it took longer than 300 ms' })
    expect(after?.problem).toContain('because of an assertion before it')
    expect(before).toEqual({ passed: true, actual: '1', problem: null })
    expect(await pool.evaluate([fast])).toEqual([{ passed: true, actual: '1', problem: null }])
  })

  it('lets assertions that were too slow before delay nobody else, and no more of them wait than can end', async () => {
    const shared = new AssertionPool({ clock: systemClock, limitMs: 300 })
    await shared.evaluate([slow()])
    let pending = 14
    const burning = Array.from({ length: 14 }, () => shared.evaluate([slow()]).finally(() => (pending -= 1)))
    for (const each of burning) each.catch(() => undefined)
    const [quick] = await shared.evaluate([json('{"a":1}', { property: '$.a', target: '1' })])
    expect(quick?.passed).toBe(true)
    expect(pending).toBeGreaterThan(0)
    await expect(burning.at(-1)).rejects.toThrow('too many like them are waiting')
    const others = Promise.allSettled(burning)
    await shared.stop()
    await others
  })

  it('holds slowness against the check it was found with only, though others assert the same', async () => {
    const shared = new AssertionPool({ clock: systemClock, limitMs: 300 })
    await shared.evaluate([slow()], 'slow check')
    const burning = Array.from({ length: 14 }, () => shared.evaluate([slow()], 'slow check'))
    for (const each of burning) each.catch(() => undefined)
    const quick = json('{"a":[1]}', { property: '$.a[?count($.a[?@ > 0]) > 9999]', comparison: 'IS_EMPTY' })
    expect(await shared.evaluate([quick], 'other check')).toMatchObject([{ passed: true }])
    await expect(burning.at(-1)).rejects.toThrow('too many like them are waiting')
    const others = Promise.allSettled(burning)
    await shared.stop()
    await others
  })

  it('evaluates catastrophic patterns in linear time', async () => {
    const [finding] = await pool.evaluate([
      {
        assertion: assertion({ source: 'TEXT_BODY', property: '^(a+)+$', comparison: 'IS_NULL' }),
        reads: 'regex',
        subject: `${'a'.repeat(5000)}!`,
        keep: 500,
      },
      json(JSON.stringify([{ b: `${'a'.repeat(40)}!` }]), {
        property: "$[?match(@.b, '(a+)+')]",
        comparison: 'IS_EMPTY',
      }),
    ])
    expect(finding?.passed).toBe(true)
  })

  it('rejects what it can no longer evaluate, so that stopping is never taken for a failure of the target', async () => {
    const stopping = new AssertionPool({ clock: systemClock })
    const underWay = stopping.evaluate([json('{}', {})])
    const refused = expect(underWay).rejects.toThrow('stopping')
    await stopping.stop()
    await refused
    await expect(stopping.evaluate([json('{}', {})])).rejects.toThrow('stopping')
  })
})
