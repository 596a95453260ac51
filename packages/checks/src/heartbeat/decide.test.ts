import { describe, expect, it } from 'vitest'
import { checkId, eventToken } from '../../test-support/contract.ts'
import { createSchema } from '../core/definition/check-schema.ts'
import { completeDefinition } from '../core/definition/complete-definition.ts'
import type { PassiveEvent, PassiveHistory } from '../core/passive.ts'
import { passiveReport } from '../passive.ts'
import { validateWhole } from '../rules.ts'
import { heartbeatCheckType } from './definition.ts'

const { mode } = heartbeatCheckType
if (mode.kind !== 'passive') throw new Error('Heartbeats are passive')
const passive = mode

const create = (heartbeat: object, more: object = {}) =>
  completeDefinition(
    heartbeatCheckType,
    createSchema(heartbeatCheckType).parse({ name: 'Backup', heartbeat, ...more }),
    checkId,
    eventToken,
  )
const minutely = { period: 1, periodUnit: 'minutes', grace: 10, graceUnit: 'seconds' }

/** Expected every minute, with ten seconds of grace: silence of 70 s is a failure. */
const definition = create(minutely)
const ping = (at: number, more: Partial<PassiveEvent> = {}): PassiveEvent => ({
  id: checkId,
  at,
  source: null,
  userAgent: null,
  payload: null,
  ...more,
})
function seen(nowMs: number, history: Partial<PassiveHistory>, of = definition) {
  const whole = { startedAt: 0, events: [], lastDueAt: null, gaps: [], ...history }
  const { results, lookAgainAt } = passive.decide(whole, nowMs, of)
  const states = results.map(({ dueAt, evidence }) => [dueAt, (evidence as { state: string }).state])
  return { states, lookAgainAt }
}

describe('the definition of a heartbeat', () => {
  it('is made of what was sent, its token and the common defaults that mean something to it', () => {
    expect(definition).toEqual({
      name: 'Backup',
      activated: true,
      muted: false,
      parentCheckIds: [],
      tags: [],
      alertSettings: null,
      useGlobalAlertSettings: true,
      groupId: null,
      groupOrder: null,
      alertChannelSubscriptions: [],
      triggerIncident: null,
      description: null,
      heartbeat: { ...minutely, pingToken: eventToken },
    })
  })

  it.each([
    ['a frequency', { frequency: 1 }],
    ['locations', { locations: ['eu-west-1'] }],
    ['a retry strategy', { retryStrategy: null }],
    ['an inverted verdict', { shouldFail: true }],
  ])('takes no %s', (_, more) => {
    const sent = { name: 'Backup', heartbeat: minutely, ...more }
    expect(createSchema(heartbeatCheckType).safeParse(sent).success).toBe(false)
  })

  it.each([
    [{ period: 30, periodUnit: 'seconds' }, []],
    [{ period: 365, periodUnit: 'days', grace: 365, graceUnit: 'days' }, []],
    [{ period: 0.5, periodUnit: 'minutes', grace: 0 }, []],
    [{ period: 29, periodUnit: 'seconds' }, ['heartbeat.period must be 30 seconds to 365 days, got 29 seconds']],
    [{ period: 366, periodUnit: 'days' }, ['heartbeat.period must be 30 seconds to 365 days, got 366 days']],
    [{ grace: 8761, graceUnit: 'hours' }, ['heartbeat.grace must be 0 seconds to 365 days, got 8761 hours']],
  ])('has bounds that hold in every unit: %o', (times, complaints) => {
    const problems = validateWhole(heartbeatCheckType, create({ ...minutely, ...times }))
    expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual(complaints)
  })

  it('is described by how often a ping is expected', () => {
    expect(heartbeatCheckType.describe(definition)).toEqual({
      action: 'waits for a ping every 1 minute with 10 seconds of grace',
      host: '',
    })
  })
})

describe('a heartbeat', () => {
  it('waits for the first ping without a deadline', () => {
    expect(seen(1_000_000, {})).toEqual({ states: [], lookAgainAt: null })
  })

  it.each([
    [1, 'EARLY'],
    [47_999, 'EARLY'],
    [48_000, 'RECEIVED'],
    [60_000, 'RECEIVED'],
    [62_000, 'RECEIVED'],
    [62_001, 'GRACE'],
    [70_000, 'GRACE'],
  ])('takes a ping %i ms after the ping before as %s', (after, state) => {
    const history = { events: [ping(1000), ping(1000 + after)], lastDueAt: 1000 }
    expect(seen(1000 + after, history)).toEqual({ states: [[1000 + after, state]], lookAgainAt: 71_000 + after })
  })

  it('answers every ping with a result of its own time', () => {
    const events = [ping(1000), ping(31_000), ping(91_000)]
    expect(seen(91_000, { events })).toEqual({
      states: [
        [1000, 'RECEIVED'],
        [31_000, 'EARLY'],
        [91_000, 'RECEIVED'],
      ],
      lookAgainAt: 161_000,
    })
  })

  it('fails after period and grace, and again only after another whole span', () => {
    const history = { events: [ping(1000)], lastDueAt: 1000 }
    expect(seen(70_999, history)).toEqual({ states: [], lookAgainAt: 71_000 })
    expect(seen(71_000, history)).toEqual({ states: [[71_000, 'FAILING']], lookAgainAt: 141_000 })
    expect(seen(140_999, { ...history, lastDueAt: 71_000 })).toEqual({ states: [], lookAgainAt: 141_000 })
    expect(seen(300_000, { ...history, lastDueAt: 71_000 }).states).toEqual([
      [141_000, 'FAILING'],
      [211_000, 'FAILING'],
      [281_000, 'FAILING'],
    ])
  })

  it('tells a failure before the late ping that ends it, though both are seen at once', () => {
    expect(seen(90_000, { events: [ping(1000), ping(80_000)], lastDueAt: 1000 })).toEqual({
      states: [
        [71_000, 'FAILING'],
        [80_000, 'LATE'],
      ],
      lookAgainAt: 150_000,
    })
  })

  it('takes a ping soon after a failure as late, and the next in time as received', () => {
    const events = [ping(1000), ping(75_000), ping(135_000)]
    expect(seen(135_000, { events, lastDueAt: 71_000 }).states).toEqual([
      [75_000, 'LATE'],
      [135_000, 'RECEIVED'],
    ])
  })

  it('without grace fails when the period ends', () => {
    const strict = create({ ...minutely, grace: 0 })
    expect(seen(61_000, { events: [ping(1000)], lastDueAt: 1000 }, strict).states).toEqual([[61_000, 'FAILING']])
    const inTime = { events: [ping(1000), ping(61_000)], lastDueAt: 1000 }
    expect(seen(61_000, inTime, strict).states).toEqual([[61_000, 'RECEIVED']])
  })

  it('waits anew from when it was saved, and judges the next ping from there', () => {
    const restarted = { startedAt: 500_000, events: [ping(1000)] }
    expect(seen(500_000, restarted)).toEqual({ states: [], lookAgainAt: 570_000 })
    expect(seen(565_000, { ...restarted, events: [ping(1000), ping(565_000)] }).states).toEqual([[565_000, 'GRACE']])
    expect(seen(510_000, { ...restarted, events: [ping(1000), ping(510_000)] }).states).toEqual([[510_000, 'RECEIVED']])
  })

  it('says in its results how long there was no ping, and who sent one', () => {
    const { results } = passive.decide(
      { startedAt: 0, events: [ping(1000)], lastDueAt: 71_000, gaps: [] },
      141_000,
      definition,
    )
    expect(results.map((result) => passiveReport(heartbeatCheckType, definition, result))).toMatchObject([
      {
        verdict: {
          outcome: 'fail',
          degraded: false,
          cause: 'No ping for 2 minutes, expected every 1 minute with 10 seconds of grace',
        },
        metrics: { sinceLastPing: 140_000 },
        responseMs: null,
        result: {
          heartbeatCheckResult: { state: 'FAILING', sinceLastPingMs: 140_000, source: null, userAgent: null },
        },
      },
    ])
    const events = [ping(5, { source: 'https://ci.example', userAgent: 'curl/8' })]
    const first = passive.decide({ startedAt: 0, events, lastDueAt: null, gaps: [] }, 5, definition).results
    expect(first[0]?.evidence).toEqual({
      state: 'RECEIVED',
      sinceLastPingMs: null,
      source: 'https://ci.example',
      userAgent: 'curl/8',
    })
  })
})

describe('a time in which nobody could hear a ping', () => {
  const history = { events: [ping(1000)], lastDueAt: 1000 }

  it('begins the wait anew', () => {
    const gaps = [{ from: 60_000, to: 100_000 }]
    expect(seen(100_000, { ...history, gaps })).toEqual({ states: [], lookAgainAt: 170_000 })
    expect(seen(170_000, { ...history, gaps }).states).toEqual([[170_000, 'FAILING']])
  })

  it('leaves time for the next ping, however short the period is', () => {
    const strict = create({ period: 30, periodUnit: 'seconds', grace: 0, graceUnit: 'seconds' })
    const gaps = [{ from: 20_000, to: 100_000 }]
    expect(seen(130_000, { ...history, gaps }, strict)).toEqual({ states: [], lookAgainAt: 135_000 })
    expect(seen(165_000, { ...history, gaps }, strict).states).toEqual([
      [135_000, 'FAILING'],
      [165_000, 'FAILING'],
    ])
  })

  it('does not make a ping on time that comes after it', () => {
    const gaps = [{ from: 60_000, to: 100_000 }]
    const events = [ping(1000), ping(110_000)]
    expect(seen(110_000, { ...history, events, gaps }).states).toEqual([[110_000, 'LATE']])
  })

  it('never hides a silence that was heard for three spans, however often it comes again', () => {
    const everyMinute = Array.from({ length: 60 }, (_, n) => ({ from: 1000 + n * 60_000, to: 2000 + n * 60_000 }))
    const { states } = seen(3_600_000, { ...history, gaps: everyMinute })
    expect(states[0]).toEqual([1000 + 3 * 70_000 + 4 * 1000, 'FAILING'])
  })
})

describe('requests of link previews', () => {
  it.each(['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'Mozilla/5.0 (compatible; Discordbot/2.0)'])(
    'do not count: %s',
    (userAgent) => expect(passive.events.counts(ping(1, { userAgent }))).toBe(false),
  )

  it.each(['curl/8.5.0', 'Wget/1.21', 'backup-bot/1.0', null])('are told from a job: %s', (userAgent) =>
    expect(passive.events.counts(ping(1, { userAgent }))).toBe(true),
  )
})
