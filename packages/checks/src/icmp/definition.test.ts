import { describe, expect, it } from 'vitest'
import { givenDefinition } from '../../test-support/jobs.ts'
import { goodEvidence } from './contract.fixture.ts'
import { icmpCheckType } from './definition.ts'
import type { IcmpEvidence } from './evidence.ts'

const given = (sent: Record<string, unknown> = {}) =>
  givenDefinition(icmpCheckType, { request: { hostname: 'db.example' }, ...sent })

type Seen = NonNullable<IcmpEvidence['response']>

function pinged(changes: Partial<Seen>): IcmpEvidence {
  const { response } = goodEvidence
  if (response === undefined) throw new Error('The fixture has a response')
  return { ...goodEvidence, response: { ...response, ...changes } }
}
const silence = pinged({ packetsSent: 10, packetsReceived: 0, packetLoss: 100, latency: null })

describe('the definition of an ICMP check', () => {
  it('pings ten times over IPv4 unless it says otherwise', () => {
    expect(given()).toMatchObject({
      request: { hostname: 'db.example', ipFamily: 'IPv4', pingCount: 10, assertions: [] },
      degradedPacketLossThreshold: 10,
      maxPacketLossThreshold: 20,
    })
    const request = { hostname: 'db.example', ipFamily: null, pingCount: null }
    expect(given({ request })).toEqual(given())
  })
})

describe('the verdict on pings', () => {
  const judge = (evidence: IcmpEvidence, sent = {}) => icmpCheckType.judge(given(sent), evidence, undefined)

  it('is a failure when none was answered, and the other way round when that is expected', () => {
    expect(judge(silence)).toBe('None of 10 pings to db.example was answered')
    expect(judge(goodEvidence)).toBeUndefined()
    expect(judge(silence, { shouldFail: true })).toBeUndefined()
    expect(judge(goodEvidence, { shouldFail: true })).toBe('Expected no answer, but db.example answered 2 of 2 pings')
  })

  it('has limits on loss and on the average round trip', () => {
    const over = (changes: Partial<Seen>, sent = {}) => icmpCheckType.thresholds(given(sent), pinged(changes))
    expect(over({ packetLoss: 10 })).toEqual({ degraded: undefined, exceeded: undefined })
    expect(over({ packetLoss: 12.345 })).toEqual({
      degraded: 'Lost 12.3 % of the packets, over the limit of 10 %',
      exceeded: undefined,
    })
    expect(over({ packetLoss: 30 }).exceeded).toBe('Lost 30 % of the packets, over the limit of 20 %')
    expect(over({ packetLoss: 30 }, { degradedPacketLossThreshold: null, maxPacketLossThreshold: null })).toEqual({
      degraded: undefined,
      exceeded: undefined,
    })
    expect(over({}, { maxResponseTime: 1 }).exceeded).toBe('Answered on average in 2 ms, over the limit of 1 ms')
  })

  it('is no excess of loss when silence is expected', () => {
    expect(icmpCheckType.thresholds(given({ shouldFail: true }), silence)).toEqual({
      degraded: undefined,
      exceeded: undefined,
    })
    expect(icmpCheckType.thresholds(given(), silence).exceeded).toMatch(/^Lost 100 %/)
  })
})

it('assertions read one of the round-trip times, or anything as JSON', () => {
  const { LATENCY, JSON_RESPONSE } = icmpCheckType.assertionSources
  expect(['avg', 'min', 'max', 'stdDev', 'p99'].map((name) => LATENCY?.read(goodEvidence, name))).toEqual([
    2,
    1,
    3,
    1,
    undefined,
  ])
  expect(LATENCY?.read(silence, 'avg')).toBeUndefined()
  expect(JSON_RESPONSE?.read(goodEvidence, '')).toMatchObject({ packetsReceived: 2, packetLoss: 0 })
})
