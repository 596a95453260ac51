import {
  isFinalStatus,
  type CheckSession,
  type CheckSessionResult,
  type CheckSessionWithResults,
  type SessionStatus,
} from '@vedette/wire'
import { sequencesOf, sessionStatus, type StartedSession } from '../../sessions/index.ts'
import type { ResultRow, SessionRow } from './store.ts'

/** Where answers link to, and the time now. */
export interface ShownWith {
  /** Address of the web app. */
  baseUrl: string
  now: number
}

/** The status of a stored session with its results so far. */
export function statusOf(row: SessionRow, results: readonly ResultRow[], now: number): SessionStatus {
  if (row.status !== null) return row.status as SessionStatus
  return sessionStatus({
    sequenceIds: sequencesOf(row.check_id, row.due_at, row.locations),
    cancelled: row.cancelled_sequences,
    giveUpAt: row.give_up_at?.getTime() ?? null,
    now,
    results: results.map((result) => ({
      sequenceId: result.sequence_id,
      resultType: result.result_type,
      outcome: result.outcome,
      degraded: result.is_degraded,
    })),
  })
}

/** A stored session as the API returns it. */
export function toSession(row: SessionRow, results: readonly ResultRow[], { baseUrl, now }: ShownWith): CheckSession {
  const status = statusOf(row, results, now)
  const stoppedAt = row.ended_at ?? (isFinalStatus(status) ? row.give_up_at : null)
  return {
    checkSessionId: row.id,
    checkSessionLink: sessionLink(baseUrl, row.id),
    checkId: row.check_id,
    checkType: row.check_type,
    name: row.check_name,
    status,
    startedAt: row.created_at.toISOString(),
    stoppedAt: stoppedAt?.toISOString() ?? null,
    timeElapsed: Math.max(0, (stoppedAt?.getTime() ?? now) - row.created_at.getTime()),
    runLocations: row.slugs,
    runSource: row.source as CheckSession['runSource'],
  }
}

export const toSessionWithResults = (
  row: SessionRow,
  results: readonly ResultRow[],
  shown: ShownWith,
): CheckSessionWithResults => ({
  ...toSession(row, results, shown),
  results: results.map((result) => toSessionResult(row, result, shown)),
})

const toSessionResult = (row: SessionRow, result: ResultRow, { baseUrl }: ShownWith): CheckSessionResult => ({
  checkResultId: result.id,
  checkResultLink: `${baseUrl}/checks/${row.check_id}/results/${result.id}`,
  checkId: row.check_id,
  checkType: row.check_type,
  name: row.check_name,
  runLocation: result.location,
  resultType: result.result_type,
  hasErrors: result.has_errors,
  hasFailures: result.has_failures,
  isDegraded: result.is_degraded,
  aborted: false,
  isCancelled: result.is_cancelled,
  responseTime: result.response_ms,
  startedAt: result.started_at?.toISOString() ?? null,
  stoppedAt: result.stopped_at?.toISOString() ?? null,
  sequenceId: result.sequence_id,
})

/** A session that was stored just now. */
export const startedSession = (
  session: StartedSession,
  slugOf: (location: string) => string,
  baseUrl: string,
): CheckSession => ({
  checkSessionId: session.id,
  checkSessionLink: sessionLink(baseUrl, session.id),
  checkId: session.checkId,
  checkType: session.type,
  name: session.name,
  status: 'STARTED',
  startedAt: new Date(session.createdAt).toISOString(),
  stoppedAt: null,
  timeElapsed: 0,
  runLocations: session.locations.map(slugOf),
  runSource: session.source as CheckSession['runSource'],
})

export const sessionLink = (baseUrl: string, id: string): string => `${baseUrl}/sessions/${id}`

/** The older path has no CANCELLED. */
export const asV1 = <T extends { status: SessionStatus }>(session: T): T =>
  session.status === 'CANCELLED' ? { ...session, status: 'TIMED_OUT' } : session
