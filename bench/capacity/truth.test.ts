import { dueAt, slotAtOrAfter } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import { schedule } from '../subjects/vedette.ts'
import type { Arrival } from '../target/target.ts'
import { truthOf, type Seen, type StoredResult } from './truth.ts'

const ids = ['0f8f1c9e-1111-4c7e-9d55-000000000001', '0f8f1c9e-2222-4c7e-9d55-000000000002']
const from = Date.UTC(2026, 0, 1)
const to = from + 40_000

const dueTimes = (checkId: string): number[] => {
  const own = { checkId, ...schedule }
  const first = slotAtOrAfter(own, from)
  return [dueAt(own, first), dueAt(own, first + 1)]
}

/** Everything as it should be: each slot asked 5 ms late and stored. */
function good(): Seen & { results: StoredResult[]; arrivals: Arrival[] } {
  const slots = ids.flatMap((checkId, n) => dueTimes(checkId).map((due) => ({ checkId, n, due })))
  return {
    ids,
    from,
    to,
    results: slots.map(({ checkId, due }) => ({ checkId, dueAt: due, passed: true })),
    arrivals: slots.map(({ n, due }): Arrival => [`/check/${n}`, due + 5]),
    listed: new Map(ids.slice(0, 1).map((checkId) => [checkId, dueTimes(checkId)])),
  }
}

describe('the truth of a fleet', () => {
  it('holds when each slot has one request and one stored result that passed, in time', () => {
    expect(truthOf(good())).toEqual({ slots: 4, p50: 5, p99: 5, broken: [] })
  })

  it('leaves out what was due before or after, and requests of others', () => {
    const seen = good()
    seen.results.push({ checkId: ids[0] ?? '', dueAt: (seen.results[0]?.dueAt ?? 0) - 20_000, passed: false })
    seen.arrivals.push(['/check/0', (seen.arrivals[0]?.[1] ?? 0) + 40_000], ['/bare', from + 5], ['/check/7', from + 9])
    expect(truthOf(seen).broken).toEqual([])
  })

  it('is broken by a lost, a doubled and a failed run', () => {
    const seen = good()
    const [first, second, third, fourth] = seen.results
    if (!first || !second || !third || !fourth) throw new Error('Four slots were expected.')
    expect(truthOf({ ...seen, results: [first, second, third] }).broken).toEqual(['1 of 4 slots have no stored result'])
    expect(truthOf({ ...seen, results: [...seen.results, first] }).broken).toEqual([
      '1 of 4 slots have several stored results',
    ])
    expect(truthOf({ ...seen, results: [{ ...first, passed: false }, second, third, fourth] }).broken).toEqual([
      '1 of 4 slots did not pass',
    ])
    expect(truthOf({ ...seen, arrivals: seen.arrivals.slice(1) }).broken).toEqual([
      '1 of 4 slots have no request at the target',
    ])
    expect(truthOf({ ...seen, arrivals: [...seen.arrivals, ...seen.arrivals.slice(0, 1)] }).broken).toEqual([
      '1 of 4 slots have several requests at the target',
    ])
  })

  it('is broken by a check whose list does not hold each slot once', () => {
    const [checkId = ''] = ids
    const [first = 0, second = 0] = dueTimes(checkId)
    for (const due of [[first], [first, first, second], [first, second + 1]])
      expect(truthOf({ ...good(), listed: new Map([[checkId, due]]) }).broken).toEqual([
        '1 of 1 sampled checks do not list each slot once',
      ])
  })

  it('is broken by requests that come late', () => {
    const seen = good()
    const late = seen.arrivals.map(([path, at], n): Arrival => [path, at + (n === 0 ? 80 : 15)])
    expect(truthOf({ ...seen, arrivals: late }).broken).toEqual([
      'lateness p50 is 20 ms, its goal ≤ 15',
      'lateness p99 is 85 ms, its goal ≤ 60',
    ])
  })
})
