import type { CheckTypeName, CheckState } from '@vedette/wire'
import { shownCause, shownSince, shownState } from '../../db/check-state.ts'
import type { Queryable } from '../../db/database.ts'
import { slugOf, slugsOf } from '../../db/location-slug.ts'
import { mutedNow } from './matching-store.ts'

/** What a row of the list shows of a check. */
export interface ListedCheck {
  checkId: string
  name: string
  checkType: CheckTypeName
  definition: Record<string, unknown>
  host: string
  group: { id: number; name: string } | null
  tags: string[]
  activated: boolean
  muted: boolean
  mutedUntil: Date | null
  acknowledged: { by: string; at: string } | null
  state: CheckState
  stateSince: Date | null
  cause: string | null
  lastRunAt: Date | null
  lastPassAt: Date | null
  lastResultId: string | null
  lastRunLocation: string | null
  lastMs: number | null
  failingLocations: string[]
  locationCount: number
  periodSeconds: number | null
  overlaps: number
  notRunnable: string | null
}

const acknowledgement = `(SELECT jsonb_build_object('by', e.acknowledged_by, 'at', e.acknowledged_at) FROM check_episodes e
  WHERE e.check_id = c.id AND e.ended_at IS NULL AND e.acknowledged_at IS NOT NULL)`

const group = `(SELECT jsonb_build_object('id', cg.id, 'name', cg.name) FROM check_groups cg
  WHERE cg.account_id = c.account_id AND cg.id = c.group_id)`

export async function readRows(
  client: Queryable,
  { accountId, ids, at }: { accountId: string; ids: readonly string[]; at: Date },
): Promise<Map<string, ListedCheck>> {
  const { rows } = await client.query<ListedCheck>(
    `SELECT c.id AS "checkId", c.name, c.type AS "checkType", c.definition, c.host, c.tags, ${group} AS "group", c.activated,
       ${mutedNow} AS muted, CASE WHEN ${mutedNow} THEN c.muted_until END AS "mutedUntil", ${acknowledgement} AS acknowledged,
       ${shownState('$2')} AS state, ${shownSince('$2')} AS "stateSince", ${shownCause('$2')} AS cause,
       s.last_run_at AS "lastRunAt", s.last_pass_at AS "lastPassAt", s.last_result_id AS "lastResultId",
       ${slugOf('s.last_run_location')} AS "lastRunLocation", s.last_response_ms AS "lastMs",
       ${slugsOf('s.failing_locations')} AS "failingLocations",
       coalesce(jsonb_array_length(c.effective->'locations'), 0) AS "locationCount", c.period_seconds AS "periodSeconds",
       s.overlap_count AS overlaps, c.not_runnable AS "notRunnable"
     FROM checks c JOIN check_status s ON s.check_id = c.id
     WHERE c.account_id = $1 AND c.id = ANY($3::uuid[]) AND c.deleted_at IS NULL`,
    [accountId, at, ids],
  )
  return new Map(rows.map((row) => [row.checkId, row]))
}
