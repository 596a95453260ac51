import type { ReportBody } from '@vedette/checks/run'
import { TargetError, type Resolve } from '@vedette/checks/net'
import { systemClock } from '@vedette/wire'
import { expect, test } from 'vitest'
import { withDnsControl } from './dns-control.ts'
import { internalErrorReport } from '../delivery/report-text.ts'
import { scriptedJob } from '../../test-support/jobs.ts'

const job = scriptedJob('pass')
const context = { signal: new AbortController().signal, clock: systemClock, random: () => 0 }

const failed = (phase: string, code: string): ReportBody => ({
  ...internalErrorReport('', ''),
  startedAt: 1000,
  stoppedAt: 2000,
  internalError: null,
  error: { phase, code, text: 'shop.example does not exist', network: true },
  verdict: { outcome: 'fail', degraded: false, overMaxResponseTime: false, assertions: [], cause: 'no name' },
})

const works: Resolve = () => Promise.resolve(['192.0.2.1'])
const broken: Resolve = () => Promise.reject(new TargetError('dns', 'DNS_SERVER_FAILURE', 'no answer'))
const runWith = (body: ReportBody, name: string | null, resolve: Resolve) =>
  withDnsControl(() => Promise.resolve(body), name, resolve)(job, context)

test('a failed look-up is ours when the control name cannot be looked up either', async () => {
  expect(await runWith(failed('dns', 'DNS_NOT_FOUND'), 'control.example', broken)).toMatchObject({
    internalError: { code: 'NO_DNS', text: expect.stringContaining('control.example') },
    verdict: { outcome: 'unknown' },
    error: null,
    startedAt: 1000,
    stoppedAt: 2000,
  })
})

test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])(
  'a target without a route (%s) is ours when the control name cannot be looked up either',
  async (code) => {
    for (const phase of ['tcp', 'ping', 'query'])
      expect(await runWith(failed(phase, code), 'control.example', broken), phase).toMatchObject({
        internalError: { code: 'NO_NETWORK' },
        verdict: { outcome: 'unknown' },
      })
  },
)

test.each([
  ['the control name can be looked up', failed('dns', 'DNS_NOT_FOUND'), 'control.example', works],
  ['there is no control name', failed('dns', 'DNS_NOT_FOUND'), null, broken],
  ['the name is none', failed('dns', 'DNS_INVALID_NAME'), 'control.example', broken],
  ['a route is missing and the control name can be looked up', failed('tcp', 'EHOSTUNREACH'), 'control.example', works],
  ['it refused', failed('tcp', 'ECONNREFUSED'), 'control.example', broken],
  ['it timed out', failed('tcp', 'ETIMEDOUT'), 'control.example', broken],
])('a failure stays the target’s when %s', async (_, body, name, resolve) => {
  expect(await runWith(body, name, resolve)).toBe(body)
})
