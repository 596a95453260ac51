import { randomUUID } from 'node:crypto'
import type { LeaseClaims, ResultReport } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { Database } from '../db/database.ts'
import type { IncomingResult } from '../runs.ts'
import { initialState } from './alert-state.ts'

/** A check in the database with its first revision and its status row. */
export interface GivenCheck {
  id: string
  accountId: string
}

/** Inserts a check as its creation does. Without more it is retried never and alerts at the first failure. */
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
    frequency: 1,
    frequencyOffset: 1,
    ...definition,
  }
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, secrets, offset_sent, revision, version,
       created_at) VALUES ($1, $2, 'API', 'Shop', true, '{shop}', $3, '{}', false, 1, 1, now())`,
    [id, accountId, JSON.stringify(complete)],
  )
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

export interface ResultParts {
  outcome?: 'pass' | 'fail' | 'unknown'
  degraded?: boolean
  location?: string
  attempt?: number
  receivedAt?: number
  claims?: Partial<LeaseClaims>
  report?: Partial<ResultReport>
}

/** A result as it comes in, two seconds after it was due unless said otherwise. */
export function incomingResult(check: GivenCheck, dueAt: number, parts: ResultParts = {}): IncomingResult {
  const { outcome = 'pass', degraded = false, location = 'eu-west-1', attempt = 0 } = parts
  const sequence = sequenceId(check.id, dueAt, 'eu-west-1')
  return {
    receivedAt: parts.receivedAt ?? dueAt + 2000,
    claims: {
      attemptId: attemptId(sequence, dueAt, attempt),
      sequenceId: sequence,
      accountId: check.accountId,
      checkId: check.id,
      revision: 1,
      type: 'API',
      dueAt,
      location,
      emulated: false,
      lane: 'network',
      attempt,
      leasedAt: dueAt + 100,
      keyId: 'key',
      source: 'SCHEDULER',
      ...parts.claims,
    },
    report: {
      lease: 'lease',
      startedAt: outcome === 'unknown' ? null : dueAt + 500,
      stoppedAt: outcome === 'unknown' ? null : dueAt + 900,
      clockOffsetMs: 0,
      timingUncertaintyMs: 0,
      responseMs: outcome === 'unknown' ? null : 400,
      verdict: {
        outcome,
        degraded,
        overMaxResponseTime: false,
        assertions: [],
        cause: outcome === 'pass' && !degraded ? '' : `${outcome} here`,
      },
      error: null,
      illness: outcome === 'unknown' ? { code: 'STALLED', text: 'The agent stood still.' } : null,
      certificateNotAfter: null,
      metrics: {},
      result: outcome === 'unknown' ? {} : { apiCheckResult: { response: { status: outcome === 'pass' ? 200 : 503 } } },
      replayed: false,
      ...parts.report,
    },
  }
}
