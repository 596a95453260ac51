import { randomUUID } from 'node:crypto'
import type { CheckResult } from '@vedette/checks'
import type { LocationId, ResultContent, ResultIdentity } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { Database } from '../src/db/database.ts'
import { resolveSettings } from './database.ts'
import type { IncomingResult } from '../src/runs.ts'
import { initialState } from '../src/alerting/state/alert-state.ts'

/** A check in the database with its first revision and its status row. */
export interface GivenCheck {
  id: string
  accountId: string
}

/** Inserts a check as its creation does. By default it is not retried and alerts at the first failure. */
export async function givenCheck(
  db: Database,
  accountId: string,
  definition: Record<string, unknown> = {},
): Promise<GivenCheck> {
  const id = randomUUID()
  const complete = {
    locations: ['eu-west-1', 'us-east-1'],
    privateLocations: null,
    doubleCheck: false,
    retryStrategy: null,
    runParallel: false,
    muted: false,
    useGlobalAlertSettings: true,
    alertSettings: null,
    tags: ['shop'],
    frequency: 1,
    frequencyOffset: 1,
    ...definition,
  }
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
       revision, version, created_at) VALUES ($1, $2, 'API', 'Shop', true, '{}', $3, '{}', '{}', false, 1, 1, now())`,
    [id, accountId, JSON.stringify(complete)],
  )
  await resolveSettings(db, accountId)
  await db.pool.query(
    `INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
     VALUES ($1, 1, $2, 'API', 'Shop', $3, '{}', now())`,
    [id, accountId, JSON.stringify(complete)],
  )
  await db.pool.query(
    `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', $3, now())`,
    [id, accountId, JSON.stringify(initialState())],
  )
  return { id, accountId }
}

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
  agenticCheckResult: null,
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
    report: { ...reportOf(dueAt, parts), ...parts.report },
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

function reportOf(dueAt: number, { outcome = 'pass', degraded = false }: ResultParts): ResultContent {
  const ran = outcome !== 'unknown'
  const cause = outcome === 'pass' && !degraded ? '' : `${outcome} here`
  return {
    startedAt: ran ? dueAt + 500 : null,
    stoppedAt: ran ? dueAt + 900 : null,
    clockOffsetMs: 0,
    timingUncertaintyMs: 0,
    responseMs: ran ? 400 : null,
    statusCode: statusCodes[outcome],
    verdict: { outcome, degraded, overMaxResponseTime: false, assertions: [], cause },
    error: null,
    internalError: ran ? null : { code: 'STALLED', text: 'The agent stood still.' },
    certificateNotAfter: null,
    metrics: {},
    result: ran ? { apiCheckResult: { response: { status: statusCodes[outcome] } } } : {},
    replayed: false,
  }
}
