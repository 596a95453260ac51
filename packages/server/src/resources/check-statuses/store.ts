import { shownCause, shownSince, shownState } from '../../db/check-state.ts'
import type { Queryable } from '../../db/database.ts'
import { slugOf, slugsOf } from '../../db/location-slug.ts'

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The database writes the JSON, so that ten thousand rows are transferred as one text. $2 is now. */
const statusJson = `
  json_build_object(
    'name', c.name, 'checkId', c.id, 'hasFailures', s.has_failures, 'hasErrors', s.has_errors,
    'isDegraded', s.is_degraded, 'longestRun', s.longest_run, 'shortestRun', s.shortest_run,
    'lastRunLocation', ${slugOf('s.last_run_location')}, 'lastCheckRunId', s.last_check_run_id::text,
    'sslDaysRemaining', floor(extract(epoch FROM s.ssl_not_after - $2::timestamptz) / 86400)::int,
    'created_at', ${iso('s.created_at')}, 'updated_at', ${iso('s.updated_at')},
    'state', ${shownState('$2')}, 'stateSince', ${iso(`(${shownSince('$2')})`)},
    'cause', ${shownCause('$2')}, 'lastResultId', s.last_result_id, 'lastRunAt', ${iso('s.last_run_at')},
    'lastPassAt', ${iso('s.last_pass_at')}, 'failingLocations', ${slugsOf('s.failing_locations')},
    'overlaps', s.overlap_count, 'notRunnable', c.not_runnable)`

const from = `FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.account_id = $1 AND c.deleted_at IS NULL`

interface Chunk {
  json: string | null
  length: number
  last_at: string
  last_id: string
}

/** The embedded database has one connection: a long list is read in pieces, so that other queries run in between. */
const chunkLength = 1000

/** The statuses of all checks of an account, as the text of a JSON array. */
export async function statusesAsJson(client: Queryable, account: string, now: Date): Promise<string> {
  const texts: string[] = []
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (let length = chunkLength; length === chunkLength;) {
    const { rows } = await client.query<Chunk>(
      `SELECT string_agg(status::text, ',' ORDER BY created_at, id) AS json, count(*)::int AS length,
         (array_agg(created_at::text ORDER BY created_at DESC, id DESC))[1] AS last_at,
         (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS last_id
       FROM (SELECT c.created_at, c.id, ${statusJson} AS status ${from}
         AND (c.created_at, c.id) > ($3::timestamptz, $4::uuid)
         ORDER BY c.created_at, c.id LIMIT ${chunkLength}) piece`,
      [account, now, after.at, after.id],
    )
    const chunk = rows[0]
    length = chunk?.length ?? 0
    if (!chunk || chunk.json === null) break
    texts.push(chunk.json)
    after = { at: chunk.last_at, id: chunk.last_id }
  }
  return `[${texts.join(',')}]`
}

export async function statusAsJson(
  client: Queryable,
  { account, checkId }: { account: string; checkId: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await client.query<{ json: string }>(`SELECT ${statusJson}::text AS json ${from} AND c.id = $3`, [
    account,
    now,
    checkId,
  ])
  return rows[0]?.json
}
