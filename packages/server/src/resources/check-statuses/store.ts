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

const columns = [
  ['id', 'c.id'],
  ['name', 'c.name'],
  ['activated', 'c.activated'],
  ['not_runnable', 'c.not_runnable'],
  ['period_seconds', 'c.period_seconds'],
  ['check_created_at', 'c.created_at'],
  ['has_failures', 's.has_failures'],
  ['has_errors', 's.has_errors'],
  ['is_degraded', 's.is_degraded'],
  ['longest_run', 's.longest_run'],
  ['shortest_run', 's.shortest_run'],
  ['last_run_location', 's.last_run_location'],
  ['last_check_run_id', 's.last_check_run_id::text'],
  ['ssl_not_after', 's.ssl_not_after'],
  ['created_at', 's.created_at'],
  ['updated_at', 's.updated_at'],
  ['state', 's.state'],
  ['state_since', 's.state_since'],
  ['cause', 's.cause'],
  ['known_at', 's.known_at'],
  ['last_result_id', 's.last_result_id'],
  ['last_run_at', 's.last_run_at'],
  ['last_pass_at', 's.last_pass_at'],
  ['failing_locations', 's.failing_locations'],
  ['overlap_count', 's.overlap_count'],
  ['why_unknown', "s.alert_state->'unwatched'->'triggeringResult'->>'cause'"],
] as const satisfies (readonly [keyof StoredStatus, string])[]

type ValuesOf<Columns extends readonly (readonly [keyof StoredStatus, string])[]> = {
  [at in keyof Columns]: StoredStatus[Columns[at][0]]
}

const selected = `SELECT json_build_array(${columns.map(([, column]) => column).join(', ')}) AS one
  FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.account_id = $1 AND c.deleted_at IS NULL`

/** The embedded database has one connection: a long list is read in pieces, so that other queries run in between. */
const pieceLength = 1000

/** The statuses of all checks of an account, by the time at which the checks were created. */
export async function* readStatuses(client: Queryable, account: string): AsyncGenerator<StoredStatus[]> {
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (let length = pieceLength; length === pieceLength;) {
    const piece = await readPiece(
      client,
      'check-statuses',
      `${selected} AND (c.created_at, c.id) > ($2::timestamptz, $3::uuid)
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
  return (await readPiece(client, 'check-status', `${selected} AND c.id = $2`, [account, checkId]))[0]
}

/** One text for all rows, without names: to make and to read it costs a fraction of what columns or objects would. */
async function readPiece(client: Queryable, name: string, sql: string, values: unknown[]): Promise<StoredStatus[]> {
  const { rows } = await client.query<{ json: string }>({
    name,
    text: `SELECT coalesce(json_agg(one), '[]')::text AS json FROM (${sql}) AS piece`,
    values,
  })
  return (JSON.parse(rows[0]?.json ?? '[]') as ValuesOf<typeof columns>[]).map(statusOf)
}

// Setting the fields in a loop would take twice as long as all else here.
function statusOf(values: ValuesOf<typeof columns>): StoredStatus {
  const [
    id,
    name,
    activated,
    not_runnable,
    period_seconds,
    check_created_at,
    has_failures,
    has_errors,
    is_degraded,
    longest_run,
    shortest_run,
    last_run_location,
    last_check_run_id,
    ssl_not_after,
    created_at,
    updated_at,
    state,
    state_since,
    cause,
    known_at,
    last_result_id,
    last_run_at,
    last_pass_at,
    failing_locations,
    overlap_count,
    why_unknown,
  ] = values
  return {
    id,
    name,
    activated,
    not_runnable,
    period_seconds,
    check_created_at,
    has_failures,
    has_errors,
    is_degraded,
    longest_run,
    shortest_run,
    last_run_location,
    last_check_run_id,
    ssl_not_after,
    created_at,
    updated_at,
    state,
    state_since,
    cause,
    known_at,
    last_result_id,
    last_run_at,
    last_pass_at,
    failing_locations,
    overlap_count,
    why_unknown,
  }
}
