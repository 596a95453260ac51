import { describe, expect, it } from 'vitest'
import type { AssertionOutcome, ObservedError } from '@vedette/wire'
import { apiCheckType } from '../api/definition.ts'
import type { HttpEvidence } from './http-exchange/evidence.ts'
import { tcpCheckType } from '../tcp/definition.ts'
import type { TcpEvidence } from '../tcp/evidence.ts'
import { givenDefinition } from '../../test-support/jobs.ts'
import type { Observation } from './check-type.ts'
import { restsOnTimeAlone, verdict } from './verdict.ts'

const times = { startedAt: 0, stoppedAt: 1, timingUncertaintyMs: 0 }
const phases = { wait: 0, dns: 0, tcp: 0, tls: 0, firstByte: 0, download: 0 }

const apiEvidence = (status: number, total = 10): HttpEvidence => ({
  request: { method: 'GET', url: 'http://x/', headers: {}, params: {}, data: '' },
  response: {
    status,
    statusText: '',
    httpVersion: '1.1',
    headers: {},
    body: '',
    bodyBytes: 0,
    truncated: false,
    href: 'http://x/',
    redirects: [],
    remoteAddress: '127.0.0.1',
    ipFamily: 'IPv4',
    timings: {},
    timingPhases: { ...phases, total },
  },
})
const tcpEvidence = (accepted: boolean): TcpEvidence => ({
  request: { hostname: 'h', port: 81, data: null, ipFamily: 'IPv4' },
  ...(accepted && {
    response: {
      data: '',
      truncated: false,
      remoteAddress: '127.0.0.1',
      timingPhases: { dns: 0, connection: 1, data: 0, total: 1 },
    },
  }),
})
const outcome = (passed: boolean, message = 'Expected status code to equal 200, got 404'): AssertionOutcome => ({
  order: 0,
  source: 'STATUS_CODE',
  comparison: 'EQUALS',
  property: '',
  target: '200',
  regex: null,
  passed,
  actual: '404',
  message: passed ? null : message,
})
const error = (phase: string, code: string, network = true): ObservedError => ({ phase, code, text: code, network })

function judgeApi(
  observed: Partial<Observation<unknown>>,
  settings: Record<string, unknown> = {},
  assertions: AssertionOutcome[] = [],
) {
  const definition = givenDefinition(apiCheckType, { request: { url: 'http://x/' }, ...settings })
  return verdict(apiCheckType, definition, { ...times, ...observed }, assertions)
}
function judgeTcp(observed: Partial<Observation<unknown>>, shouldFail: boolean, assertions: AssertionOutcome[] = []) {
  const definition = givenDefinition(tcpCheckType, { request: { hostname: 'h', port: 81 }, shouldFail })
  return verdict(tcpCheckType, definition, { ...times, ...observed }, assertions)
}

describe('the verdict of an API check', () => {
  it.each([
    [200, false, 'pass'],
    [301, false, 'pass'],
    [399, false, 'pass'],
    [400, false, 'fail'],
    [503, false, 'fail'],
    [200, true, 'fail'],
    [399, true, 'fail'],
    [400, true, 'pass'],
    [500, true, 'pass'],
  ])('of status %i with shouldFail %s is %s', (status, shouldFail, expected) => {
    expect(judgeApi({ evidence: apiEvidence(status) }, { shouldFail }).outcome).toBe(expected)
  })

  it.each(['dns', 'tcp', 'tls', 'firstByte', 'download', 'template'])(
    'fails on trouble in phase %s, also when failure is expected',
    (phase) => {
      for (const shouldFail of [true, false]) {
        const judged = judgeApi({ error: error(phase, 'TROUBLE') }, { shouldFail })
        expect(judged).toMatchObject({ outcome: 'fail', cause: 'TROUBLE', overMaxResponseTime: false })
        const half = judgeApi({ error: error(phase, 'TROUBLE'), evidence: apiEvidence(404) }, { shouldFail })
        expect(half.outcome).toBe('fail')
      }
    },
  )

  it('fails on a failed assertion even when the error status is expected', () => {
    const judged = judgeApi({ evidence: apiEvidence(404) }, { shouldFail: true }, [outcome(true), outcome(false)])
    expect(judged).toMatchObject({ outcome: 'fail', cause: 'Expected status code to equal 200, got 404' })
  })

  it('counts further failed assertions', () => {
    const failed = [outcome(false), outcome(false), outcome(false)]
    expect(judgeApi({ evidence: apiEvidence(200) }, {}, failed).cause).toContain('(and 2 more failed assertions)')
  })

  it.each([
    [5000, 'pass', false, false],
    [5000.01, 'pass', true, false],
    [20_000, 'pass', true, false],
    [20_001, 'fail', false, true],
  ])('of %d ms is %s by the default limits', (total, expected, degraded, overMaxResponseTime) => {
    expect(judgeApi({ evidence: apiEvidence(200, total) })).toMatchObject({
      outcome: expected,
      degraded,
      overMaxResponseTime,
    })
  })

  it('has no limit where it is null, and applies limits to expected failures too', () => {
    const evidence = apiEvidence(404, 29_000)
    const free = { shouldFail: true, maxResponseTime: null, degradedResponseTime: null }
    expect(judgeApi({ evidence }, free)).toMatchObject({ outcome: 'pass', degraded: false })
    expect(judgeApi({ evidence }, { shouldFail: true })).toMatchObject({ outcome: 'fail', overMaxResponseTime: true })
  })

  it('is never degraded when it failed, and still tells that it was over the limit', () => {
    const judged = judgeApi({ evidence: apiEvidence(500, 25_000) })
    expect(judged).toMatchObject({ outcome: 'fail', degraded: false, overMaxResponseTime: true })
    expect(judged.cause).toContain('got 500')
  })

  it('is unknown when we were ill, whatever else was seen', () => {
    const internalError = { code: 'STALL', text: 'The agent stalled' }
    expect(judgeApi({ internalError, evidence: apiEvidence(500), error: error('tcp', 'X') })).toMatchObject({
      outcome: 'unknown',
      degraded: false,
      cause: 'The agent stalled',
    })
  })
})

describe('the verdict of a TCP check', () => {
  it.each<[string, Partial<Observation<unknown>>, 'pass' | 'fail', 'pass' | 'fail']>([
    ['accepted', { evidence: tcpEvidence(true) }, 'pass', 'fail'],
    ['refused', { evidence: tcpEvidence(false), error: error('tcp', 'ECONNREFUSED') }, 'fail', 'pass'],
    ['silent', { evidence: tcpEvidence(false), error: error('tcp', 'ETIMEDOUT') }, 'fail', 'pass'],
    ['accepted and then silent', { evidence: tcpEvidence(true), error: error('data', 'ETIMEDOUT') }, 'fail', 'fail'],
    ['unknown to DNS', { evidence: tcpEvidence(false), error: error('dns', 'DNS_NXDOMAIN') }, 'fail', 'fail'],
    ['late in DNS', { evidence: tcpEvidence(false), error: error('dns', 'ETIMEDOUT') }, 'fail', 'fail'],
    ['denied', { evidence: tcpEvidence(false), error: error('egress', 'EGRESS_DENIED') }, 'fail', 'fail'],
    ['unreachable', { evidence: tcpEvidence(false), error: error('tcp', 'EHOSTUNREACH') }, 'fail', 'fail'],
  ])('that was %s', (_, observed, usual, inverted) => {
    expect(judgeTcp(observed, false).outcome).toBe(usual)
    expect(judgeTcp(observed, true).outcome).toBe(inverted)
  })

  it('holds assertions against an expected refusal', () => {
    const observed = { evidence: tcpEvidence(false), error: error('tcp', 'ECONNREFUSED') }
    expect(judgeTcp(observed, true, [outcome(false)]).outcome).toBe('fail')
  })
})

describe('a verdict that rests on time alone', () => {
  const late: AssertionOutcome = { ...outcome(false), source: 'RESPONSE_TIME' }
  const rests = (
    status: number,
    {
      total = 10,
      internalError,
      assertions = [],
    }: { total?: number; internalError?: true; assertions?: AssertionOutcome[] } = {},
  ) => {
    const definition = givenDefinition(apiCheckType, {
      request: { url: 'http://x/' },
      degradedResponseTime: 50,
      maxResponseTime: 100,
    })
    const observation: Observation<unknown> = {
      ...times,
      evidence: apiEvidence(status, total),
      ...(internalError && { internalError: { code: 'STALLED', text: 'stalled' } }),
    }
    const found = verdict(apiCheckType, definition, observation, assertions)
    return restsOnTimeAlone(apiCheckType, definition, observation, found)
  }

  it('is one that was degraded or failed by the limits, or by assertions about time', () => {
    expect(rests(200, { total: 60 })).toBe(true)
    expect(rests(200, { total: 200 })).toBe(true)
    expect(rests(200, { assertions: [late] })).toBe(true)
    expect(rests(200, { assertions: [late, outcome(true)] })).toBe(true)
  })

  it('is none that passed, that something else failed, or that knows nothing', () => {
    expect(rests(200)).toBe(false)
    expect(rests(500, { total: 200 })).toBe(false)
    expect(rests(200, { assertions: [outcome(false)] })).toBe(false)
    expect(rests(200, { total: 200, assertions: [late, outcome(false)] })).toBe(false)
    expect(rests(200, { total: 200, assertions: [{ ...outcome(false), source: 'NO_SUCH_SOURCE' }] })).toBe(false)
    expect(rests(200, { total: 200, internalError: true })).toBe(false)
  })
})

describe('the cause of a failed assertion', () => {
  it('counts the others and needs no message', () => {
    const cause = (...assertions: AssertionOutcome[]) => judgeApi({ evidence: apiEvidence(200) }, {}, assertions).cause
    expect(cause(outcome(false, 'A'), outcome(true))).toBe('A')
    expect(cause(outcome(false, 'A'), outcome(false, 'B'))).toBe('A (and 1 more failed assertion)')
    expect(cause(outcome(false, 'A'), outcome(false), outcome(false))).toBe('A (and 2 more failed assertions)')
    expect(cause({ ...outcome(false), message: null })).toBe('Expected status code equals 200')
  })

  it('is empty when nothing is wrong', () => {
    expect(judgeApi({ evidence: apiEvidence(200) })).toMatchObject({ cause: '', degraded: false })
    const ill = { evidence: apiEvidence(200), internalError: { code: 'X', text: 'ill' } }
    expect(judgeApi(ill)).toMatchObject({ outcome: 'unknown', degraded: false, overMaxResponseTime: false })
  })
})
