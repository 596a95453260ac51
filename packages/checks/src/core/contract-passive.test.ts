import fc from 'fast-check'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resultReport } from '@vedette/wire'
import {
  checkId,
  eventToken,
  expectExactPart,
  fixtureOf,
  leastDefinition,
  missingPaths,
} from '../../test-support/contract.ts'
import { checkTypes } from '../check-types.ts'
import { passiveReport } from '../passive.ts'
import { createSchema, storedSchema, updateSchema } from './definition/check-schema.ts'
import { completeDefinition, eventTokenOf, mergeDefinition } from './definition/complete-definition.ts'
import { scheduleFields } from './definition/typed-definition.ts'
import type { PassiveEvent, PassiveHistory, PassiveResult } from './passive.ts'
import { valueAt } from './value-at.ts'

const passive = checkTypes.flatMap((type) =>
  type.mode.kind === 'passive' ? [[type.title, type, type.mode] as const] : [],
)
const begin = 1_700_000_000_000

const eventAt = (at: number): PassiveEvent => ({ id: checkId, at, source: null, userAgent: null, payload: null })

/** Offsets of events in milliseconds, some in bursts, some after long silence, and a gap of the server. */
const histories = fc.record({
  offsets: fc.uniqueArray(fc.integer({ min: 1, max: 600_000 }), { maxLength: 12 }),
  gap: fc.option(
    fc.record({ from: fc.integer({ min: 0, max: 600_000 }), lasts: fc.integer({ min: 1, max: 200_000 }) }),
  ),
  looks: fc.array(fc.integer({ min: 0, max: 900_000 }), { minLength: 1, maxLength: 6 }),
})

/** What is known at a moment, as a server would tell it. */
function historyAt(nowMs: number, lastDueAt: number | null, all: Pick<PassiveHistory, 'events' | 'gaps'>) {
  const since = lastDueAt ?? begin
  const arrived = all.events.filter(({ at }) => at <= nowMs)
  const before = arrived.findLast(({ at }) => at <= since)
  const events = [...(before ? [before] : []), ...arrived.filter(({ at }) => at > since)]
  const gaps = all.gaps.filter(({ from }) => from < nowMs).map(({ from, to }) => ({ from, to: Math.min(to, nowMs) }))
  return { startedAt: begin, events, lastDueAt, gaps }
}

function eventsOf({ offsets, gap }: { offsets: number[]; gap: { from: number; lasts: number } | null }) {
  const gaps = gap === null ? [] : [{ from: begin + gap.from, to: begin + gap.from + gap.lasts }]
  const isHeard = (at: number) => gaps.every(({ from, to }) => at <= from || at >= to)
  const events = offsets
    .toSorted((a, b) => a - b)
    .map((offset) => eventAt(begin + offset))
    .filter(({ at }) => isHeard(at))
  return { events, gaps }
}

describe.each(passive)('the passive check type %s', (_, type, mode) => {
  const definition = leastDefinition(type)

  it('has nothing that belongs to a schedule or to an agent', () => {
    for (const name of scheduleFields) expect(createSchema(type).shape).not.toHaveProperty(name)
    expect(existsSync(new URL(`../${type.path}/run.ts`, import.meta.url))).toBe(false)
    expect(type.dryRun).toBe(false)
    expect(type.assertionSources).toEqual({})
    expect(type.assertions(definition)).toEqual([])
  })

  it('is created with the token it gets, keeps it over updates and takes one that is sent', () => {
    expect(eventTokenOf(type, definition)).toBe(eventToken)
    expect(storedSchema(type).parse(definition)).toEqual(definition)
    expect(type.secretPaths).not.toContain(mode.events.tokenPath)
    const own = mode.events.tokenPath.split('.')[0] ?? ''
    const sent = updateSchema(type).parse({ [own]: valueAt(fixtureOf(type).leastCheck(9), own) })
    expect(eventTokenOf(type, mergeDefinition(type, definition, sent, checkId))).toBe(eventToken)
    const chosen = completeDefinition(type, definition, checkId, checkId)
    expect(eventTokenOf(type, chosen)).toBe(eventToken)
  })

  it('decides the same however often it looks, in order, and knows when to look again', () => {
    fc.assert(
      fc.property(histories, ({ looks, ...sample }) => {
        const all = eventsOf(sample)
        const end = begin + Math.max(...looks)
        const found: PassiveResult<unknown>[] = []
        let lastDueAt: number | null = null
        for (const now of looks.map((offset) => begin + offset).toSorted((a, b) => a - b)) {
          // While the server is away, it decides nothing.
          if (all.gaps.some(({ from, to }) => now >= from && now < to)) continue
          const { results, lookAgainAt } = mode.decide(historyAt(now, lastDueAt, all), now, definition)
          for (const { dueAt } of results) {
            expect(dueAt).toBeGreaterThan(lastDueAt ?? begin)
            expect(dueAt).toBeLessThanOrEqual(now)
            lastDueAt = dueAt
          }
          found.push(...results)
          const known = historyAt(now, lastDueAt, all)
          expect(mode.decide(known, now, definition)).toEqual({ results: [], lookAgainAt })
          if (lookAgainAt === null) continue
          expect(lookAgainAt).toBeGreaterThan(now)
          expect(mode.decide(known, lookAgainAt - 1, definition).results).toEqual([])
        }
        if (all.gaps.length > 0) return
        expect(found).toEqual(mode.decide(historyAt(end, null, all), end, definition).results)
      }),
    )
  })

  it('makes reports of its results that the server takes, with all their view shows', () => {
    const events = [eventAt(begin + 1)]
    const { results } = mode.decide({ startedAt: begin, events, lastDueAt: null, gaps: [] }, begin + 1e9, definition)
    for (const result of results.slice(0, 2)) expectExactPart(type, passiveReport(type, definition, result).result)
    const outcomes = results.map((result) => {
      const body = passiveReport(type, definition, result)
      const report = resultReport.parse({ ...body, lease: '', clockOffsetMs: 0, replayed: false })
      expect(missingPaths(type.resultView, valueAt(report.result, type.resultKey ?? ''))).toEqual([])
      expect(report).toMatchObject({ startedAt: result.dueAt, internalError: null, statusCode: null })
      return report.verdict.outcome
    })
    expect(outcomes.slice(0, 2)).toEqual(['pass', 'fail'])
  })
})
