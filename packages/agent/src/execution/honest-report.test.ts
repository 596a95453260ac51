import type { ReportBody } from '@vedette/checks/run'
import { expect, test } from 'vitest'
import { honestReport } from './honest-report.ts'
import { internalErrorReport } from '../delivery/report-text.ts'

const report = (ranMs: number, stalledMs: number, code = 'ETIMEDOUT'): ReportBody => ({
  ...internalErrorReport('', ''),
  startedAt: 1000,
  stoppedAt: 1000 + ranMs,
  timingUncertaintyMs: stalledMs,
  error: { phase: 'firstByte', code, text: 'No answer', network: true },
  internalError: null,
  verdict: { outcome: 'fail', degraded: false, overMaxResponseTime: false, assertions: [], cause: 'No answer' },
})

test('a time-out while the agent stood still for a good part of it is not the fault of the target', () => {
  const honest = honestReport(report(30_000, 8000))
  expect(honest).toMatchObject({
    internalError: { code: 'AGENT_STALLED' },
    verdict: { outcome: 'unknown' },
    error: null,
  })
  expect(honest).toMatchObject({ startedAt: 1000, stoppedAt: 31_000, timingUncertaintyMs: 8000 })
})

test('nor is a look-up that timed out meanwhile', () => {
  expect(honestReport(report(10_000, 9000, 'DNS_TIMEOUT'))).toMatchObject({
    internalError: { code: 'AGENT_STALLED' },
    verdict: { outcome: 'unknown' },
  })
  const silent = report(10_000, 20, 'DNS_TIMEOUT')
  expect(honestReport(silent)).toBe(silent)
})

test.each([
  ['a time-out with a short stall', report(30_000, 7000)],
  ['a stall too short to matter', report(1200, 900)],
  ['a refusal during a stall', report(30_000, 29_000, 'ECONNREFUSED')],
])('%s stays what it is', (_, body) => {
  expect(honestReport(body)).toBe(body)
})
