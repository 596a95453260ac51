import { checkTypes } from '@vedette/checks'
import { isoTime, type CheckTypeName, type LocationId, type Outcome, type ResultType } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckResultsRow, CheckSessionsRow } from '../../db/rows.ts'
import { slugOf, slugsOf } from '../../db/location-slug.ts'
import { noteCancelled } from '../../sessions/index.ts'
import type { TagRule } from './tag-filter.ts'

export interface TargetFilter {
  /** Ids of checks; undefined: any. */
  checkIds: readonly string[] | undefined
  /** Empty: any tags. */
  tags: readonly TagRule[]
  /** Undefined: in any group, or in none. */
  groupIds: readonly number[] | undefined
}

const passiveTypes = checkTypes.filter(({ mode }) => mode.kind === 'passive').map(({ type }) => type)

/** A check to run, and how many of its group run at a time. */
export interface MatchingCheck {
  id: string
  groupId: number | null
  concurrency: number | null
}

/** The checks to run, those of a group in its order: activated ones that run, and match every filter. */
export async function matchingChecks(db: Queryable, account: string, filter: TargetFilter): Promise<MatchingCheck[]> {
  const { rows } = await db.query<MatchingCheck>(
    `SELECT c.id, g.id AS "groupId", (g.definition->>'concurrency')::int AS concurrency
     FROM checks c LEFT JOIN check_groups g ON g.account_id = c.account_id AND g.id = c.group_id
     WHERE c.account_id = $1 AND c.deleted_at IS NULL AND c.activated AND c.not_runnable IS NULL
       AND NOT c.type = ANY($2::text[]) AND ($3::uuid[] IS NULL OR c.id = ANY($3::uuid[]))
       AND (json_array_length($4::json) = 0 OR EXISTS (
         SELECT 1 FROM json_to_recordset($4::json) AS f(must text[], "not" text[])
         WHERE c.tags @> f.must AND NOT c.tags && f."not"))
       AND ($5::int[] IS NULL OR c.group_id = ANY($5::int[]))
     ORDER BY c.group_id, c.group_order, c.id`,
    [account, passiveTypes, filter.checkIds ?? null, JSON.stringify(filter.tags), filter.groupIds ?? null],
  )
  return rows
}

const columns = [
  'id',
  'check_id',
  'check_name',
  'check_type',
  'source',
  'created_at',
  'due_at',
  'give_up_at',
  'cancelled_sequences',
  'ended_at',
  'status',
] as const

export interface SessionRow extends Pick<CheckSessionsRow, (typeof columns)[number]> {
  check_type: CheckTypeName
  /** Ids. */
  locations: LocationId[]
  slugs: string[]
}

const columnList = `${columns.map((column) => `s.${column}`).join(', ')}, s.locations, ${slugsOf('s.locations')} AS slugs`

/** Undefined when there is none, or it is another account's. */
export async function readSession(db: Queryable, account: string, id: string): Promise<SessionRow | undefined> {
  const { rows } = await db.query<SessionRow>(
    `SELECT ${columnList} FROM check_sessions s WHERE s.account_id = $1 AND s.id = $2`,
    [account, id],
  )
  return rows[0]
}

/** The same, locked against its end. */
export async function lockSession(client: Queryable, account: string, id: string): Promise<SessionRow | undefined> {
  await client.query('SELECT 1 FROM check_sessions WHERE account_id = $1 AND id = $2 FOR UPDATE', [account, id])
  return readSession(client, account, id)
}

/** Newest first. */
export async function listSessions(
  db: Queryable,
  account: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const { rows } = await db.query<SessionRow>(
    `SELECT ${columnList} FROM check_sessions s WHERE s.account_id = $1
     ORDER BY s.created_at DESC, s.id DESC LIMIT $2 OFFSET $3`,
    [account, limit, offset],
  )
  const counted = await db.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM check_sessions WHERE account_id = $1',
    [account],
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export interface ResultRow extends Pick<
  CheckResultsRow,
  | 'id'
  | 'check_id'
  | 'due_at'
  | 'has_errors'
  | 'has_failures'
  | 'is_degraded'
  | 'is_cancelled'
  | 'response_ms'
  | 'started_at'
  | 'stopped_at'
  | 'sequence_id'
> {
  location: string
  result_type: ResultType
  outcome: Outcome
}

/** Results of these sessions, in the order of their attempts. */
export async function readResults(
  db: Queryable,
  runs: readonly Pick<SessionRow, 'check_id' | 'due_at'>[],
): Promise<ResultRow[]> {
  const keys = runs.flatMap(({ check_id, due_at }) =>
    due_at === null ? [] : { check_id, due_at: isoTime(due_at.getTime()) },
  )
  if (keys.length === 0) return []
  // The times stand in it once more, so that no other days are looked at.
  const { rows } = await db.query<ResultRow>(
    `SELECT r.id, r.check_id, r.due_at, r.has_errors, r.has_failures, r.is_degraded, r.is_cancelled, r.response_ms,
       r.started_at, r.stopped_at, r.sequence_id, ${slugOf('r.location')} AS location, r.result_type, r.outcome
     FROM json_to_recordset($1::json) AS k(check_id uuid, due_at timestamptz)
     JOIN check_results r ON r.check_id = k.check_id AND r.due_at = k.due_at
     WHERE r.check_id = ANY($2::uuid[]) AND r.due_at = ANY($3::timestamptz[])
     ORDER BY r.received_at, r.attempts, r.id`,
    [JSON.stringify(keys), keys.map(({ check_id }) => check_id), keys.map(({ due_at }) => due_at)],
  )
  return rows
}

/** Notes that runs are cancelled, and takes back those that wait; what agents have comes back as cancelled. */
export async function cancelSequences(client: Queryable, id: string, cancelled: readonly string[]): Promise<void> {
  await noteCancelled(client, id, cancelled)
  await client.query(
    `DELETE FROM pending_runs p USING check_sessions s
     WHERE s.id = $1 AND p.check_id = s.check_id AND p.due_at = s.due_at AND p.sequence_id = ANY($2::uuid[])`,
    [id, cancelled],
  )
}
