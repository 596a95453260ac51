import { randomUUID } from 'node:crypto'
import type { CheckResult } from '@vedette/checks'
import type { LocationId, ResultContent, ResultIdentity } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { IncomingResult } from '../src/runs.ts'
import type { GivenCheck } from './checks.ts'
import { reportAt } from './reports.ts'

/** A passed result of an API check as the API returns it. */
export const answeredResult = (changes: Partial<CheckResult> = {}): CheckResult => ({
  id: randomUUID(),
  resultType: 'FINAL',
  name: 'Shop',
  checkId: randomUUID(),
  checkType: 'API',
  hasFailures: false,
  hasErrors: false,
  isDegraded: false,
  isCancelled: false,
  overMaxResponseTime: false,
  runLocation: 'eu-west-1',
  startedAt: null,
  stoppedAt: null,
  dueAt: '2026-01-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  responseTime: null,
  checkRunId: 0,
  attempts: 0,
  sequenceId: null,
  errorGroupIds: [],
  cause: null,
  emulatedLocation: false,
  outcome: 'pass',
  runSource: 'EDITOR',
  revision: 0,
  late: false,
  timingUncertaintyMs: 0,
  apiCheckResult: {
    assertions: [],
    request: null,
    response: null,
    requestError: null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  },
  browserCheckResult: null,
  multiStepCheckResult: null,
  playwrightCheckResult: null,
  agenticCheckResult: null,
  heartbeatCheckResult: null,
  sslCheckResult: null,
  error: null,
  internalError: null,
  metrics: {},
  ...changes,
})

export interface ResultParts {
  outcome?: 'pass' | 'fail' | 'unknown'
  degraded?: boolean
  location?: LocationId
  attempt?: number
  receivedAt?: number
  /** Default: 100 ms after it was due. */
  leasedAt?: number | null
  identity?: Partial<ResultIdentity>
  report?: Partial<ResultContent>
}

/** A result to store, received two seconds after it was due by default. */
export function incomingResult(check: GivenCheck, dueAt: number, parts: ResultParts = {}): IncomingResult {
  return {
    receivedAt: parts.receivedAt ?? dueAt + 2000,
    leasedAt: parts.leasedAt === undefined ? dueAt + 100 : parts.leasedAt,
    identity: { ...identityOf(check, dueAt, parts), ...parts.identity },
    report: { ...foundOf(dueAt, parts), ...parts.report },
  }
}

function identityOf(check: GivenCheck, dueAt: number, { location, attempt = 0 }: ResultParts): ResultIdentity {
  const sequence = sequenceId(check.id, dueAt, 'eu-west-1')
  return {
    attemptId: attemptId(sequence, dueAt, attempt),
    sequenceId: sequence,
    accountId: check.accountId,
    checkId: check.id,
    revision: 1,
    type: 'API',
    dueAt,
    location: location ?? 'eu-west-1',
    emulated: false,
    attempt,
    source: 'SCHEDULER',
  }
}

const statusCodes = { pass: 200, fail: 503, unknown: null }

function foundOf(dueAt: number, { outcome = 'pass', degraded = false }: ResultParts): ResultContent {
  const ran = outcome !== 'unknown'
  const cause = outcome === 'pass' && !degraded ? '' : `${outcome} here`
  return reportAt(dueAt + 500, {
    ...(ran ? { stoppedAt: dueAt + 900, responseMs: 400 } : { startedAt: null, stoppedAt: null, responseMs: null }),
    statusCode: statusCodes[outcome],
    verdict: { outcome, degraded, overMaxResponseTime: false, assertions: [], cause },
    internalError: ran ? null : { code: 'STALLED', text: 'The agent stood still.' },
    result: ran ? { apiCheckResult: { response: { status: statusCodes[outcome] } } } : {},
  })
}
