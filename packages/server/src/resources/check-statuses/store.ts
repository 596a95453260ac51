import type { Queryable } from '../../db/database.ts'
import type { CheckStatusRow, ChecksRow } from '../../db/rows.ts'

/** What a status is made of, as the database writes it in JSON: times are ISO texts with microseconds. */
export interface StoredStatus
  extends
    Pick<ChecksRow, 'id' | 'name' | 'activated' | 'not_runnable' | 'period_seconds'>,
    Pick<
      CheckStatusRow,
      | 'has_failures'
      | 'has_errors'
      | 'is_degraded'
      | 'longest_run'
      | 'shortest_run'
      | 'last_run_location'
      | 'state'
      | 'cause'
      | 'last_result_id'
      | 'failing_locations'
      | 'overlap_count'
    > {
  check_created_at: string
  created_at: string
  updated_at: string | null
  last_check_run_id: string | null
  ssl_not_after: string | null
  state_since: string | null
  known_at: string | null
  last_run_at: string | null
  last_pass_at: string | null
  why_unknown: string | null
}

const columns = `c.id, c.name, c.activated, c.not_runnable, c.period_seconds, c.created_at AS check_created_at,
  s.has_failures, s.has_errors, s.is_degraded, s.longest_run, s.shortest_run, s.last_run_location,
  s.last_check_run_id::text, s.ssl_not_after, s.created_at, s.updated_at, s.state, s.state_since, s.cause, s.known_at,
  s.last_result_id, s.last_run_at, s.last_pass_at, s.failing_locations, s.overlap_count,
  s.alert_state->'unwatched'->'triggeringResult'->>'cause' AS why_unknown`

const from = `FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.account_id = $1 AND c.deleted_at IS NULL`

/** One text for all rows: reading it costs a fraction of what the columns of as many rows would. */
const asText = (rows: string): string => `SELECT coalesce(json_agg(piece), '[]')::text AS json FROM (${rows}) piece`

/** The embedded database has one connection: a long list is read in pieces, so that other queries run in between. */
const pieceLength = 1000

/** The statuses of all checks of an account, by the time at which the checks were created. */
export async function* readStatuses(client: Queryable, account: string): AsyncGenerator<StoredStatus[]> {
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (let length = pieceLength; length === pieceLength;) {
    const piece = await readPiece(
      client,
      `SELECT ${columns} ${from} AND (c.created_at, c.id) > ($2::timestamptz, $3::uuid)
       ORDER BY c.created_at, c.id LIMIT ${pieceLength}`,
      [account, after.at, after.id],
    )
    yield piece
    const last = piece.at(-1)
    if (last) after = { at: last.check_created_at, id: last.id }
    length = piece.length
  }
}

export async function readStatus(
  client: Queryable,
  { account, checkId }: { account: string; checkId: string },
): Promise<StoredStatus | undefined> {
  return (await readPiece(client, `SELECT ${columns} ${from} AND c.id = $2`, [account, checkId]))[0]
}

async function readPiece(client: Queryable, sql: string, values: unknown[]): Promise<StoredStatus[]> {
  const { rows } = await client.query<{ json: string }>(asText(sql), values)
  return JSON.parse(rows[0]?.json ?? '[]') as StoredStatus[]
}
