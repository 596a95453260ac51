import {
  isoTime,
  type CheckTypeName,
  type LocationId,
  type Outcome,
  type ResultType,
  type RunSource,
} from '@vedette/wire'
import { sequenceId } from '@vedette/wire/ids'
import type { Queryable } from '../db/database.ts'
import type { CheckSessionsRow, ChecksRow } from '../db/rows.ts'
import type { EffectiveCheck } from '../settings/resolve-check.ts'
import type { SessionResult } from './session-status.ts'

/** A session to store, whose runs were stored already. */
export interface NewSession {
  id: string
  accountId: string
  checkId: string
  name: string
  type: CheckTypeName
  source: RunSource
  locations: readonly LocationId[]
  createdAt: number
  /** null: it waits for its turn. */
  dueAt: number | null
  giveUpAt: number | null
  /** Set when it is of a group whose checks run so many at a time. */
  turn: { batch: string; position: number; atOnce: number } | null
}

export async function insertSessions(client: Queryable, sessions: readonly NewSession[]): Promise<void> {
  if (sessions.length === 0) return
  const rows = sessions.map((session) => ({
    id: session.id,
    account_id: session.accountId,
    check_id: session.checkId,
    check_name: session.name,
    check_type: session.type,
    source: session.source,
    locations: session.locations,
    created_at: isoTime(session.createdAt),
    due_at: isoTime(session.dueAt),
    give_up_at: isoTime(session.giveUpAt),
    batch: session.turn?.batch ?? null,
    position: session.turn?.position ?? null,
    at_once: session.turn?.atOnce ?? null,
  }))
  await client.query(
    `INSERT INTO check_sessions (id, account_id, check_id, check_name, check_type, source, locations, created_at, due_at,
       give_up_at, batch, position, at_once)
     SELECT * FROM json_to_recordset($1::json) AS s(id uuid, account_id uuid, check_id uuid, check_name text,
       check_type text, source text, locations text[], created_at timestamptz, due_at timestamptz, give_up_at timestamptz,
       batch uuid, position int, at_once int)`,
    [JSON.stringify(rows)],
  )
}

/** What a session needs to know of its check. */
export interface SessionCheck extends Pick<ChecksRow, 'id' | 'name'> {
  type: CheckTypeName
  definition: Record<string, unknown>
  effective: Pick<EffectiveCheck, 'retryStrategy'>
}

export async function readSessionChecks(client: Queryable, checkIds: readonly string[]): Promise<SessionCheck[]> {
  const { rows } = await client.query<SessionCheck>(
    'SELECT id, name, type, definition, effective FROM checks WHERE id = ANY($1::uuid[])',
    [checkIds],
  )
  return rows
}

/** A session that has not ended, or was cancelled: its runs may still report. */
export interface OpenSession {
  id: string
  checkId: string
  dueAt: number
  sequenceIds: string[]
  cancelled: string[]
  giveUpAt: number | null
  ended: boolean
}

interface OpenRow extends Pick<
  CheckSessionsRow,
  'id' | 'check_id' | 'locations' | 'cancelled_sequences' | 'give_up_at' | 'ended_at'
> {
  due_at: Date
}

/** Sequence ids of the runs of a session. */
export const sequencesOf = (checkId: string, dueAt: Date | null, locations: readonly string[]): string[] =>
  dueAt === null ? [] : locations.map((location) => sequenceId(checkId, dueAt.getTime(), location))

const toOpen = (row: OpenRow): OpenSession => ({
  id: row.id,
  checkId: row.check_id,
  dueAt: row.due_at.getTime(),
  sequenceIds: sequencesOf(row.check_id, row.due_at, row.locations),
  cancelled: row.cancelled_sequences,
  giveUpAt: row.give_up_at?.getTime() ?? null,
  ended: row.ended_at !== null,
})

export interface RunOfCheck {
  checkId: string
  dueAt: number
}

/** Locks the sessions of these runs, in the order of ids: until the end of the transaction none is cancelled. */
export async function lockSessions(client: Queryable, runs: readonly RunOfCheck[]): Promise<OpenSession[]> {
  if (runs.length === 0) return []
  const { rows } = await client.query<OpenRow>({
    name: 'ingest-sessions',
    text: `SELECT s.id, s.check_id, s.due_at, s.locations, s.cancelled_sequences, s.give_up_at, s.ended_at
      FROM check_sessions s
      JOIN (SELECT DISTINCT * FROM json_to_recordset($1::json) AS r("checkId" uuid, due_at timestamptz)) k
        ON s.check_id = k."checkId" AND s.due_at = k.due_at
      ORDER BY s.id FOR UPDATE OF s`,
    values: [JSON.stringify(runs.map(({ checkId, dueAt }) => ({ checkId, due_at: isoTime(dueAt) })))],
  })
  return rows.map(toOpen)
}

interface ResultRow {
  sequence_id: string
  result_type: ResultType
  outcome: Outcome
  is_degraded: boolean
}

/** Results of a session, as far as its status depends on them. */
export async function readSessionResults(client: Queryable, { checkId, dueAt }: RunOfCheck): Promise<SessionResult[]> {
  const { rows } = await client.query<ResultRow>({
    name: 'session-results',
    text: `SELECT sequence_id, result_type, outcome, is_degraded FROM check_results WHERE check_id = $1 AND due_at = $2`,
    values: [checkId, isoTime(dueAt)],
  })
  return rows.map((row) => ({
    sequenceId: row.sequence_id,
    resultType: row.result_type,
    outcome: row.outcome,
    degraded: row.is_degraded,
  }))
}

/** Ends a session once and for all. */
export async function endSession(
  client: Queryable,
  { id, status, endedAt }: { id: string; status: string; endedAt: number },
): Promise<void> {
  await client.query('UPDATE check_sessions SET status = $2, ended_at = $3 WHERE id = $1 AND ended_at IS NULL', [
    id,
    status,
    isoTime(endedAt),
  ])
}

/** These runs of the session say nothing about the target. */
export async function noteCancelled(client: Queryable, id: string, cancelled: readonly string[]): Promise<void> {
  await client.query('UPDATE check_sessions SET cancelled_sequences = $2 WHERE id = $1', [id, cancelled])
}

/** Batches in which a session waits for its turn. */
export async function readWaitingBatches(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ batch: string }>(
    `SELECT DISTINCT batch FROM check_sessions WHERE batch IS NOT NULL AND ended_at IS NULL AND due_at IS NULL`,
  )
  return rows.map(({ batch }) => batch)
}

/** A session of a batch that has not ended. */
export interface BatchedSession {
  id: string
  accountId: string
  checkId: string
  source: RunSource
  locations: LocationId[]
  /** A private location of it was deleted. */
  locationGone: boolean
  atOnce: number
  dueAt: number | null
  giveUpAt: number | null
}

interface BatchedRow extends Pick<
  CheckSessionsRow,
  'id' | 'account_id' | 'check_id' | 'at_once' | 'due_at' | 'give_up_at'
> {
  source: RunSource
  locations: LocationId[]
  location_gone: boolean
}

/** Locks what has not ended of a batch, and answers it in the order of its turns. */
export async function lockBatch(client: Queryable, batch: string): Promise<BatchedSession[]> {
  await client.query('SELECT 1 FROM check_sessions WHERE batch = $1 AND ended_at IS NULL ORDER BY id FOR UPDATE', [
    batch,
  ])
  const { rows } = await client.query<BatchedRow>(
    `SELECT s.id, s.account_id, s.check_id, s.source, s.locations, s.at_once, s.due_at, s.give_up_at,
       EXISTS (SELECT 1 FROM private_locations p
         WHERE p.account_id = s.account_id AND p.deleted_at IS NOT NULL AND 'pl_' || p.id = ANY(s.locations)) AS location_gone
     FROM check_sessions s WHERE s.batch = $1 AND s.ended_at IS NULL ORDER BY s.position`,
    [batch],
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    checkId: row.check_id,
    source: row.source,
    locations: row.locations,
    locationGone: row.location_gone,
    atOnce: row.at_once ?? 1,
    dueAt: row.due_at?.getTime() ?? null,
    giveUpAt: row.give_up_at?.getTime() ?? null,
  }))
}

/** The turn of a session has come. */
export async function beginSession(
  client: Queryable,
  { id, dueAt, giveUpAt }: { id: string; dueAt: number; giveUpAt: number },
): Promise<void> {
  await client.query('UPDATE check_sessions SET due_at = $2, give_up_at = $3 WHERE id = $1', [
    id,
    isoTime(dueAt),
    isoTime(giveUpAt),
  ])
}
