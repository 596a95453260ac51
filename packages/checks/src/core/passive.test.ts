import { describe, expect, it } from 'vitest'
import { checkId, eventToken } from '../../test-support/contract.ts'
import { pingCheckType } from '../../test-support/ping-type.ts'
import { passiveReport } from '../passive.ts'
import { validateWhole } from '../rules.ts'
import { createSchema } from './definition/check-schema.ts'
import { completeDefinition } from './definition/complete-definition.ts'
import type { PassiveEvent, PassiveHistory } from './passive.ts'

const { mode } = pingCheckType
if (mode.kind !== 'passive') throw new Error('The ping type is passive')
const passive = mode

const create = (sent: object) =>
  completeDefinition(pingCheckType, createSchema(pingCheckType).parse({ name: 'Backup', ...sent }), checkId, eventToken)

/** Expected every minute, with ten seconds of grace: silence of 70 s is a failure. */
const definition = create({ ping: { everySeconds: 60, graceSeconds: 10 } })
const ping = (at: number, more: Partial<PassiveEvent> = {}): PassiveEvent => ({
  id: checkId,
  at,
  source: null,
  userAgent: null,
  payload: null,
  ...more,
})
const seen = (nowMs: number, history: Partial<PassiveHistory>) => {
  const { results, lookAgainAt } = passive.decide(
    { startedAt: 0, events: [], lastDueAt: null, gaps: [], ...history },
    nowMs,
    definition,
  )
  const words = results.map((result) => {
    const { verdict } = passiveReport(pingCheckType, definition, result)
    return [result.dueAt, verdict.outcome]
  })
  return { words, lookAgainAt }
}

describe('a check of a passive type', () => {
  it('is made of what was sent, its token and the common defaults that mean something to it', () => {
    expect(definition).toEqual({
      name: 'Backup',
      activated: true,
      muted: false,
      tags: [],
      alertSettings: null,
      useGlobalAlertSettings: true,
      groupId: null,
      groupOrder: null,
      alertChannelSubscriptions: [],
      triggerIncident: null,
      description: null,
      ping: { everySeconds: 60, graceSeconds: 10, token: eventToken },
    })
  })

  it.each([
    ['a frequency', { frequency: 1 }],
    ['locations', { locations: ['eu-west-1'] }],
    ['a retry strategy', { retryStrategy: null }],
  ])('takes no %s', (_, more) => {
    const sent = { name: 'Backup', ping: { everySeconds: 60, graceSeconds: 10 }, ...more }
    expect(createSchema(pingCheckType).safeParse(sent).success).toBe(false)
  })

  it('is held to the rules of its type', () => {
    const whole = create({ ping: { everySeconds: 5, graceSeconds: 10 } })
    expect(validateWhole(pingCheckType, whole)).toEqual([
      { path: 'ping.graceSeconds', message: 'must be at most everySeconds (5), got 10' },
    ])
  })

  it('waits for the first event without a time to look again', () => {
    expect(seen(1_000_000, {})).toEqual({ words: [], lookAgainAt: null })
  })

  it('answers each event with a result of its time, and looks again when waiting ends', () => {
    const history = { events: [ping(1000), ping(50_000)] }
    expect(seen(50_000, history)).toEqual({
      words: [
        [1000, 'pass'],
        [50_000, 'pass'],
      ],
      lookAgainAt: 120_000,
    })
  })

  it('fails when waiting ends, and again only after another whole span', () => {
    const history = { events: [ping(1000)], lastDueAt: 1000 }
    expect(seen(70_999, history)).toEqual({ words: [], lookAgainAt: 71_000 })
    expect(seen(71_000, history)).toEqual({ words: [[71_000, 'fail']], lookAgainAt: 141_000 })
    expect(seen(140_999, { ...history, lastDueAt: 71_000 })).toEqual({ words: [], lookAgainAt: 141_000 })
    expect(seen(300_000, { ...history, lastDueAt: 71_000 }).words).toEqual([
      [141_000, 'fail'],
      [211_000, 'fail'],
      [281_000, 'fail'],
    ])
  })

  it('tells a failure before the late event that ends it, though both are seen at once', () => {
    expect(seen(90_000, { events: [ping(1000), ping(80_000)], lastDueAt: 1000 }).words).toEqual([
      [71_000, 'fail'],
      [80_000, 'pass'],
    ])
  })

  it('does not take a silence for a failure in which nobody was there to listen', () => {
    const gaps = [{ from: 60_000, to: 100_000 }]
    expect(seen(100_000, { events: [ping(1000)], lastDueAt: 1000, gaps })).toEqual({ words: [], lookAgainAt: 170_000 })
  })

  it('can tell events from other requests', () => {
    expect(passive.events.counts(ping(1, { userAgent: 'curl/8' }))).toBe(true)
    expect(passive.events.counts(ping(1, { userAgent: 'ChatLinkPreview/1.0' }))).toBe(false)
  })

  it('says in its results what was missing and for how long', () => {
    const { results } = passive.decide(
      { startedAt: 0, events: [ping(1000)], lastDueAt: 1000, gaps: [] },
      71_000,
      definition,
    )
    const [report] = results.map((result) => passiveReport(pingCheckType, definition, result))
    expect(report).toMatchObject({
      verdict: { outcome: 'fail', cause: 'No ping arrived within 70 s' },
      metrics: { waited: 70_000 },
      responseMs: null,
      result: { pingResult: { state: 'FAILING', waitedMs: 70_000, source: null, userAgent: null } },
    })
  })
})
