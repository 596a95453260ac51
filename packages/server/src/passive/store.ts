import type { PassiveEvent } from '@vedette/checks'
import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { CheckEventsRow, ChecksRow } from '../db/rows.ts'
import type { Gap } from '../scheduling/store.ts'

/** A check that the token of an event names. */
export interface NamedCheck extends Pick<ChecksRow, 'id' | 'account_id' | 'activated' | 'not_runnable'> {
  type: CheckTypeName
}

/** The checks that tokens name, in the order of the tokens; undefined for those that name none. */
export async function readChecksOfTokens(
  db: Queryable,
  tokens: readonly string[],
): Promise<readonly (NamedCheck | undefined)[]> {
  const { rows } = await db.query<NamedCheck & Pick<ChecksRow, 'event_token'>>({
    name: 'passive-tokens',
    text: `SELECT id, account_id, type, activated, not_runnable, event_token FROM checks
      WHERE event_token = ANY($1::uuid[]) AND deleted_at IS NULL`,
    values: [tokens],
  })
  const named = new Map(rows.map((row) => [row.event_token, row]))
  return tokens.map((token) => named.get(token.toLowerCase()))
}

/** An event and the check that it is of. */
export interface EventOf {
  check: Pick<NamedCheck, 'id' | 'account_id'>
  event: PassiveEvent
}

/**
 * Stores events, each dated after the start of counting, earlier events and decided results of its check. Returns the ids
 * of those that are stored: with `skipHeld` the events of checks whose rows somebody holds are left out, so that they keep
 * no others waiting.
 */
export async function insertEvents(
  client: Queryable,
  events: readonly EventOf[],
  { skipHeld }: { skipHeld: boolean },
): Promise<Set<string>> {
  const skipped = skipHeld ? 'SKIP LOCKED' : ''
  const { rows } = await client.query<{ check_id: string }>(
    // Both rows: an event refers to its check, which somebody may be changing.
    `SELECT s.check_id FROM check_status s JOIN checks c ON c.id = s.check_id WHERE s.check_id = ANY($1::uuid[])
     ORDER BY s.check_id FOR UPDATE OF s ${skipped} FOR KEY SHARE OF c ${skipped}`,
    [events.map(({ check }) => check.id)],
  )
  const locked = new Set(rows.map((row) => row.check_id))
  const stored = new Set<string>()
  // An event is dated after the one before of its check, so a statement takes one of each.
  for (let left = events.filter(({ check }) => locked.has(check.id)); left.length > 0;) {
    const first = new Map(left.toReversed().map((one) => [one.check.id, one]))
    const now = left.filter((one) => first.get(one.check.id) === one)
    await insertOfEach(client, now)
    for (const { event } of now) stored.add(event.id)
    left = left.filter((one) => !stored.has(one.event.id))
  }
  return stored
}

async function insertOfEach(client: Queryable, events: readonly EventOf[]): Promise<void> {
  await client.query({
    name: 'passive-events',
    text: `INSERT INTO check_events (id, account_id, check_id, at, source, user_agent, payload)
      SELECT r.id, r.account_id, r.check_id, greatest(r.at, interval '1 millisecond' + greatest(
        coalesce(c.counted_from, c.created_at), s.decided_to, to_timestamp(s.last_check_run_id / 1000.0),
        (SELECT max(e.at) FROM check_events e WHERE e.check_id = r.check_id))), r.source, r.user_agent, r.payload
      FROM json_to_recordset($1::json) AS r (id uuid, account_id uuid, check_id uuid, at timestamptz, source text,
        user_agent text, payload text)
      JOIN check_status s ON s.check_id = r.check_id JOIN checks c ON c.id = s.check_id`,
    values: [
      JSON.stringify(
        events.map(({ check, event }) => ({
          id: event.id,
          account_id: check.account_id,
          check_id: check.id,
          at: new Date(event.at),
          source: event.source,
          user_agent: event.userAgent,
          payload: event.payload,
        })),
      ),
    ],
  })
}

export interface PassiveCheckRow extends Pick<ChecksRow, 'id' | 'account_id' | 'revision'> {
  type: CheckTypeName
}

const selectChecks = `SELECT id, account_id, type, revision FROM checks
  WHERE activated AND deleted_at IS NULL AND not_runnable IS NULL AND type = ANY($1::text[])`

/**
 * A page of the activated checks of these types, by id, after `afterId`. Paged so that no query blocks the embedded
 * database.
 */
export async function readPassiveChecksAfter(
  db: Queryable,
  types: readonly string[],
  { afterId, limit }: { afterId: string; limit: number },
): Promise<PassiveCheckRow[]> {
  const { rows } = await db.query<PassiveCheckRow>(`${selectChecks} AND id > $2 ORDER BY id LIMIT $3`, [
    types,
    afterId,
    limit,
  ])
  return rows
}

/** The checks of the list that are activated and of these types. */
export async function readPassiveChecks(
  db: Queryable,
  types: readonly string[],
  ids: readonly string[],
): Promise<PassiveCheckRow[]> {
  const { rows } = await db.query<PassiveCheckRow>(`${selectChecks} AND id = ANY($2::uuid[])`, [types, ids])
  return rows
}

/** Until when a check is decided. Times are epoch milliseconds. */
export interface Progress {
  checkId: string
  revision: number
  startedAt: number
  /** Due time of the newest result since then; null before the first. */
  lastDueAt: number | null
  /** The newest time that is stored of the check. */
  newestAt: number
}

const newestTime = `greatest(s.decided_to, to_timestamp(s.last_check_run_id / 1000.0), coalesce(c.counted_from, c.created_at),
  (SELECT max(e.at) FROM check_events e WHERE e.check_id = s.check_id))`

/**
 * Locks the checks of the list that are still activated, in the same order as ingest. Those whose rows somebody holds are
 * left out: they keep no others waiting.
 */
export async function lockProgress(client: Queryable, ids: readonly string[]): Promise<Progress[]> {
  const { rows } = await client.query<{
    check_id: string
    revision: number
    started_at: Date
    last_check_run_id: string | number | null
    newest_at: Date
  }>(
    `SELECT s.check_id, c.revision, coalesce(c.counted_from, c.created_at) AS started_at, s.last_check_run_id,
       ${newestTime} AS newest_at
     FROM check_status s JOIN checks c ON c.id = s.check_id
     WHERE s.check_id = ANY($1::uuid[]) AND c.activated AND c.deleted_at IS NULL AND c.not_runnable IS NULL
     ORDER BY s.check_id FOR UPDATE OF s SKIP LOCKED`,
    [ids],
  )
  return rows.map((row) => {
    const [startedAt, last] = [row.started_at.getTime(), Number(row.last_check_run_id ?? 0)]
    return {
      checkId: row.check_id,
      revision: row.revision,
      startedAt,
      lastDueAt: last > startedAt ? last : null,
      newestAt: row.newest_at.getTime(),
    }
  })
}

/** How far a check is shifted back, in milliseconds, and its oldest event by which something is still decided. */
interface Shift {
  check_id: string
  by: number
  live_from: string | null
}

async function readShifts(client: Queryable, ids: readonly string[], nowMs: number): Promise<Shift[]> {
  const { rows } = await client.query<Shift>(
    `SELECT a.check_id, a.by, (SELECT min(e.at) FROM check_events e WHERE e.check_id = a.check_id AND e.at >= coalesce(
         (SELECT max(d.at) FROM check_events d WHERE d.check_id = a.check_id AND d.at <= a.since), '-infinity'))::text AS live_from
     FROM (SELECT s.check_id, floor(extract(epoch FROM ${newestTime} - $2::timestamptz) * 1000)::float8 AS by,
         greatest(coalesce(c.counted_from, c.created_at), to_timestamp(s.last_check_run_id / 1000.0)) AS since
       FROM check_status s JOIN checks c ON c.id = s.check_id WHERE s.check_id = ANY($1::uuid[])) a`,
    [ids, new Date(nowMs)],
  )
  return rows
}

/** Longer than all times of events, in hours, which no time zone stretches. */
const asideHours = 8_766_000

/**
 * Shifts what is stored of these checks, whose rows are locked, so that the newest time is now. Events whose results are
 * long decided, and that would come after those shifted, are deleted. The others move aside first: two events of a check
 * never have the same time, and rows are moved in any order.
 */
export async function shiftBack(client: Queryable, ids: readonly string[], nowMs: number): Promise<void> {
  const shifts = JSON.stringify(await readShifts(client, ids, nowMs))
  const ahead = `json_to_recordset($1::json) AS a(check_id uuid, by float8, live_from timestamptz)`
  const by = "a.by * interval '1 millisecond'"
  await client.query(
    `DELETE FROM check_events e USING ${ahead}
     WHERE e.check_id = a.check_id AND e.at < a.live_from AND e.at >= a.live_from - ${by}`,
    [shifts],
  )
  const aside = `interval '${asideHours} hours'`
  await client.query(
    `UPDATE check_events e SET at = e.at - ${aside} FROM ${ahead} WHERE e.check_id = a.check_id AND e.at >= a.live_from`,
    [shifts],
  )
  await client.query(
    `UPDATE check_events e SET at = e.at + ${aside} - ${by} FROM ${ahead}
     WHERE e.check_id = a.check_id AND e.at >= a.live_from - ${aside} AND e.at < to_timestamp(0)`,
    [shifts],
  )
  await client.query(
    `WITH ahead AS (SELECT * FROM ${ahead}), counted AS (
       UPDATE checks c SET counted_from = coalesce(c.counted_from, c.created_at) - ${by}
       FROM ahead a WHERE c.id = a.check_id
     )
     UPDATE check_status s SET decided_to = s.decided_to - ${by}, last_check_run_id = s.last_check_run_id - a.by::bigint
     FROM ahead a WHERE s.check_id = a.check_id`,
    [shifts],
  )
}

/** Events of each check, oldest first: the first `most` after what is decided, and the newest one before them. */
export async function readEvents(
  client: Queryable,
  of: readonly Progress[],
  most: number,
): Promise<Map<string, PassiveEvent[]>> {
  const keys = of.map(({ checkId, startedAt, lastDueAt }) => ({
    check_id: checkId,
    since: new Date(lastDueAt ?? startedAt),
  }))
  const { rows } = await client.query<CheckEventsRow>(
    `SELECT e.* FROM json_to_recordset($1::json) AS k(check_id uuid, since timestamptz)
     CROSS JOIN LATERAL (
       (SELECT * FROM check_events b WHERE b.check_id = k.check_id AND b.at <= k.since ORDER BY b.at DESC LIMIT 1)
       UNION ALL
       (SELECT * FROM check_events a WHERE a.check_id = k.check_id AND a.at > k.since ORDER BY a.at LIMIT $2)) e
     ORDER BY e.check_id, e.at`,
    [JSON.stringify(keys), most],
  )
  const events = new Map<string, PassiveEvent[]>()
  for (const { check_id, id, at, source, user_agent, payload } of rows) {
    const event = { id, at: at.getTime(), source, userAgent: user_agent, payload }
    events.set(check_id, [...(events.get(check_id) ?? []), event])
  }
  return events
}

/** Stores until when the checks are decided, before the results are stored. */
export async function writeDecided(client: Queryable, decided: ReadonlyMap<string, number>): Promise<void> {
  if (decided.size === 0) return
  await client.query(
    `UPDATE check_status s SET decided_to = greatest(s.decided_to, r.decided_to)
     FROM json_to_recordset($1::json) AS r(check_id uuid, decided_to timestamptz) WHERE s.check_id = r.check_id`,
    [JSON.stringify([...decided].map(([checkId, at]) => ({ check_id: checkId, decided_to: new Date(at) })))],
  )
}

const mostGaps = 1000

/** Times in which no server ran, oldest first. */
export async function readInstallationGaps(db: Queryable): Promise<Gap[]> {
  const { rows } = await db.query<{ from_at: Date; to_at: Date; reason: string }>(
    `SELECT from_at, to_at, reason FROM coverage_gaps WHERE scope = 'installation' ORDER BY to_at DESC LIMIT ${mostGaps}`,
  )
  return rows
    .map(({ from_at, to_at, reason }) => ({ from: from_at.getTime(), to: to_at.getTime(), reason }))
    .toSorted((a, b) => a.from - b.from)
}
