import { describe, expect, it } from 'vitest'
import { givenDefinition } from '../../test-support/jobs.ts'
import { dnsRequestSchema } from './request-shape.ts'
import { dnsCheckType } from './definition.ts'
import type { DnsEvidence } from './evidence.ts'

/** What a run sees when all is well. */
const goodEvidence: DnsEvidence = {
  request: { query: 'shop.example', recordType: 'A', nameServer: '192.0.2.53', port: 53, protocol: 'UDP' },
  response: {
    answer: {
      Status: 'NOERROR',
      TC: false,
      RD: true,
      RA: true,
      AD: false,
      CD: false,
      Question: [{ name: 'shop.example', type: 'A' }],
      Answer: [{ name: 'shop.example', type: 'A', TTL: 300, data: '192.0.2.1' }],
    },
    text: 'shop.example 300 IN A 192.0.2.1',
    truncated: false,
    remoteAddress: '192.0.2.53',
    timingPhases: { connection: 0, answer: 12.5, total: 12.5 },
  },
}

const given = (sent: Record<string, unknown> = {}, request: Record<string, unknown> = {}) =>
  givenDefinition(dnsCheckType, { request: { query: 'shop.example', recordType: 'A', ...request }, ...sent })

function answered(Status: string, total = 10): DnsEvidence {
  const { response } = goodEvidence
  if (response === undefined) throw new Error('The fixture has a response')
  const timingPhases = { connection: 0, answer: total, total }
  return { ...goodEvidence, response: { ...response, answer: { ...response.answer, Status }, timingPhases } }
}

describe('the definition of a DNS check', () => {
  it('asks the name server of the location over UDP at port 53 unless it says otherwise', () => {
    const usual = { nameServer: null, port: 53, protocol: 'UDP', assertions: [] }
    expect(given()).toMatchObject({ request: usual, degradedResponseTime: 500, maxResponseTime: 1000 })
    expect(given({}, { nameServer: '', port: null })).toMatchObject({ request: usual })
    const own = { nameServer: '1.1.1.1', port: 5353, protocol: 'TCP' }
    expect(given({}, own)).toMatchObject({ request: own })
  })

  it('asks for the root and for names, and refuses what is neither', () => {
    const problems = (query: string) => dnsRequestSchema.safeParse({ query, recordType: 'NS' }).error?.issues ?? []
    expect(problems('.')).toEqual([])
    expect(problems('_dmarc.shop.example.')).toEqual([])
    for (const query of ['..', 'a..b', 'https://shop.example'])
      expect(problems(query)[0]).toMatchObject({
        path: ['query'],
        message: expect.stringMatching(/^must be a host name/),
      })
    expect(problems('x'.repeat(101))).toHaveLength(1)
    expect(problems('')).not.toEqual([])
  })
})

describe('the verdict on a DNS answer', () => {
  it('is a failure for any response code but NOERROR, and the other way round when a failure is expected', () => {
    expect(dnsCheckType.judge(given(), answered('NOERROR'), undefined)).toBeUndefined()
    expect(dnsCheckType.judge(given(), answered('NXDOMAIN'), undefined)).toBe(
      'Expected the response code NOERROR, got NXDOMAIN',
    )
    expect(dnsCheckType.judge(given({ shouldFail: true }), answered('NXDOMAIN'), undefined)).toBeUndefined()
    expect(dnsCheckType.judge(given({ shouldFail: true }), answered('NOERROR'), undefined)).toMatch(/another response/)
  })

  it('is left to the assertions on the response code where there are any, and to no others', () => {
    const expecting = (source: string, target: string, more = {}) =>
      given(more, { assertions: [{ source, comparison: 'EQUALS', target }] })
    const code = expecting('RESPONSE_CODE', 'NXDOMAIN')
    expect(dnsCheckType.judge(code, answered('NXDOMAIN'), undefined)).toBeUndefined()
    expect(dnsCheckType.judge(code, answered('NOERROR'), undefined)).toBeUndefined()
    const inverted = expecting('RESPONSE_CODE', 'NOERROR', { shouldFail: true })
    expect(dnsCheckType.judge(inverted, answered('NOERROR'), undefined)).toBeUndefined()
    const text = expecting('TEXT_ANSWER', 'nothing')
    expect(dnsCheckType.judge(text, answered('NXDOMAIN'), undefined)).toMatch(/got NXDOMAIN/)
  })

  it('has limits on the whole time', () => {
    const over = (total: number) => dnsCheckType.thresholds(given(), answered('NOERROR', total))
    expect(over(500)).toEqual({ degraded: undefined, exceeded: undefined })
    expect(over(501).degraded).toBe('Answered in 501 ms, over the limit of 500 ms')
    expect(over(1001).exceeded).toBe('Answered in 1001 ms, over the limit of 1000 ms')
  })
})

it('assertions read response code, records as text and as JSON, and time', () => {
  const read = (source: string) => dnsCheckType.assertionSources[source]?.read(goodEvidence, '')
  expect(read('RESPONSE_CODE')).toBe('NOERROR')
  expect(read('TEXT_ANSWER')).toBe('shop.example 300 IN A 192.0.2.1')
  expect(read('JSON_ANSWER')).toMatchObject({ Answer: [{ type: 'A', TTL: 300, data: '192.0.2.1' }] })
  expect(read('RESPONSE_TIME')).toBe(12.5)
})
