import type { HeartbeatDefinition } from '@vedette/checks'
import type { HeartbeatEvent, HeartbeatState } from '@vedette/wire'
import { dueAtOfId } from '@vedette/wire/ids'
import type { Queryable } from '../../db/database.ts'
import { isException } from '../../db/result-exceptions.ts'

/** A heartbeat check of an account. */
export interface HeartbeatOf {
  account: string
  checkId: string
}

const mostGaps = 1000

/** Epoch milliseconds; `from` belongs to the range, `to` does not. */
export interface Range {
  from: number
  to: number
}

/** Times are epoch milliseconds. */
export interface Heartbeat {
  definition: HeartbeatDefinition
  /** Whether it waits for pings. */
  waits: boolean
  /** When counting began. */
  startedAt: number
  /** Due time of the newest result since then; null before the first. */
  lastDueAt: number | null
  lastPingAt: number | null
}

/** Undefined when the account has no such check, or it is of another type. */
export async function readHeartbeat(
  client: Queryable,
  { account, checkId }: HeartbeatOf,
): Promise<Heartbeat | undefined> {
  const { rows } = await client.query<{
    definition: HeartbeatDefinition
    waits: boolean
    started_at: Date
    last_check_run_id: string | number | null
    pinged_at: Date | null
  }>(
    `SELECT c.definition, c.activated AND c.not_runnable IS NULL AS waits, s.last_check_run_id,
       coalesce(c.counted_from, c.created_at) AS started_at,
       (SELECT max(e.at) FROM check_events e WHERE e.check_id = c.id) AS pinged_at
     FROM checks c JOIN check_status s ON s.check_id = c.id
     WHERE c.account_id = $1 AND c.id = $2 AND c.type = 'HEARTBEAT' AND c.deleted_at IS NULL`,
    [account, checkId],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const [startedAt, last] = [row.started_at.getTime(), Number(row.last_check_run_id ?? 0)]
  return {
    definition: row.definition,
    waits: row.waits,
    startedAt,
    lastDueAt: last > startedAt ? last : null,
    lastPingAt: row.pinged_at?.getTime() ?? null,
  }
}

/** Times in which no server could hear a ping. */
export async function readDeafTimes(client: Queryable, { from, to }: Range): Promise<Range[]> {
  const { rows } = await client.query<{ from_at: Date; to_at: Date }>(
    `SELECT from_at, to_at FROM coverage_gaps
     WHERE scope = 'installation' AND to_at > $1 AND to_at <= $2 ORDER BY to_at DESC LIMIT ${mostGaps}`,
    [new Date(from), new Date(to)],
  )
  return rows.map(({ from_at, to_at }) => ({ from: from_at.getTime(), to: to_at.getTime() })).toReversed()
}

interface EventRow {
  id: string
  due_at: Date
  state: HeartbeatState
  source: string | null
  user_agent: string | null
}

const part = `r.body->'result'->'heartbeatCheckResult'`
const eventColumns = `r.id, r.due_at, ${part}->>'state' AS state, ${part}->>'source' AS source, ${part}->>'userAgent' AS user_agent`
/** Results of which nothing is known are no events. */
const isEvent = `r.account_id = $1 AND r.check_id = $2 AND r.result_type = 'FINAL' AND r.outcome <> 'unknown'`

const toEvent = ({ id, due_at, state, source, user_agent }: EventRow): HeartbeatEvent => ({
  id,
  state,
  timestamp: due_at.toISOString(),
  source,
  userAgent: user_agent,
})

/** Newest first. */
export async function listEvents(
  client: Queryable,
  { account, checkId }: HeartbeatOf,
  { from, to, limit }: Partial<Range> & { limit: number },
): Promise<HeartbeatEvent[]> {
  const { rows } = await client.query<EventRow>(
    `SELECT ${eventColumns} FROM check_results r
     WHERE ${isEvent} AND r.due_at >= $3 AND r.due_at < $4 ORDER BY r.due_at DESC, r.id DESC LIMIT $5`,
    [
      account,
      checkId,
      from === undefined ? '-infinity' : new Date(from),
      to === undefined ? 'infinity' : new Date(to),
      limit,
    ],
  )
  return rows.map(toEvent)
}

/** One event. Its id contains its time, so that one partition is read. */
export async function readEvent(
  client: Queryable,
  { account, checkId }: HeartbeatOf,
  id: string,
): Promise<HeartbeatEvent | undefined> {
  const dueAt = dueAtOfId(id)
  if (dueAt === undefined) return undefined
  const { rows } = await client.query<EventRow>(
    `SELECT ${eventColumns} FROM check_results r WHERE ${isEvent} AND r.due_at = $3 AND r.id = $4`,
    [account, checkId, new Date(dueAt), id],
  )
  return rows[0] && toEvent(rows[0])
}

/** How many events of a range there are, and how many of them are failures. */
export interface EventCount {
  events: number
  failures: number
}

/** In the order of the ranges. From indexes alone: that of all results, and that of those which are no plain pass or fail. */
export async function countEvents(client: Queryable, checkId: string, ranges: readonly Range[]): Promise<EventCount[]> {
  const within = (results: string) =>
    `${results}.check_id = $1 AND ${results}.due_at >= k.begins AND ${results}.due_at < k.ends AND ${results}.result_type = 'FINAL'`
  const { rows } = await client.query<EventCount>({
    name: 'heartbeat-events',
    text: `SELECT (a.results - u.results)::int AS events, a.failures::int AS failures
     FROM json_to_recordset($2::json) AS k(nr int, begins timestamptz, ends timestamptz)
     CROSS JOIN LATERAL (SELECT count(*) AS results, count(*) FILTER (WHERE r.has_failures) AS failures
       FROM check_results r WHERE ${within('r')}) a
     CROSS JOIN LATERAL (SELECT count(*) AS results
       FROM check_results x WHERE ${within('x')} AND ${isException('x')} AND x.outcome = 'unknown') u
     ORDER BY k.nr`,
    values: [
      checkId,
      JSON.stringify(ranges.map(({ from, to }, nr) => ({ nr, begins: new Date(from), ends: new Date(to) }))),
    ],
  })
  return rows
}
