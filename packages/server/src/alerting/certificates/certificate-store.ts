import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckResultsRow, CheckStatusRow, ChecksRow } from '../../db/rows.ts'
import { groupNameOf, subscribedChannels } from '../../db/subscribed-channels-store.ts'
import { mutedAt } from '../../settings/store.ts'

/** A certificate that ends within the threshold of at least one channel that was not notified of it. */
export interface ExpiringRow
  extends
    Pick<CheckStatusRow, 'check_id' | 'account_id'>,
    Pick<ChecksRow, 'name' | 'tags' | 'revision'>,
    Pick<CheckResultsRow, 'started_at' | 'stopped_at'> {
  type: CheckTypeName
  description: string | null
  group_name: string | null
  definition: Record<string, unknown>
  not_after: Date
  threshold: number
  result_id: string
  result_due_at: Date
  location: string
  /** The URL of the last run after redirects, and the URL it requested. */
  href: string | null
  url: string | null
}

// Longer than the longest interval between two runs of a check.
const freshMs = 25 * 3_600_000

/**
 * Certificates to notify of, a batch at a time. A certificate last seen by a run long ago may have been renewed since,
 * so it waits for the next run. `alert_notifications` records which channels were notified of which certificate.
 */
export async function readExpiring(client: Queryable, nowMs: number, limit: number): Promise<ExpiringRow[]> {
  const { rows } = await client.query<ExpiringRow>(
    `SELECT s.check_id, s.account_id, c.name, c.type, c.tags, c.definition->>'description' AS description, ${groupNameOf} AS group_name, c.definition,
       s.ssl_not_after AS not_after, t.threshold, s.last_result_id AS result_id,
       coalesce(r.due_at, s.last_run_at) AS result_due_at, coalesce(r.revision, c.revision) AS revision,
       coalesce(r.location, s.last_run_location) AS location, r.started_at, r.stopped_at,
       jsonb_path_query_first(r.body, '$.result.*.response.href') #>> '{}' AS href,
       jsonb_path_query_first(r.body, '$.result.*.request.url') #>> '{}' AS url
     FROM check_status s
     JOIN checks c ON c.id = s.check_id AND c.activated AND c.deleted_at IS NULL
       AND NOT ${mutedAt('$1')}
     JOIN LATERAL (
       SELECT DISTINCT ch.ssl_expiry_threshold AS threshold
       FROM ${subscribedChannels} ch
       WHERE ch.check_id = s.check_id AND ch.activated AND ch.ssl_expiry
         AND s.ssl_not_after < $1::timestamptz + (ch.ssl_expiry_threshold + 1) * interval '24 hours'
         AND NOT EXISTS (
           SELECT 1 FROM alert_notifications n
           WHERE n.check_id = s.check_id AND n.channel_id = ch.channel_id AND n.message->>'alertType' = 'ALERT_SSL'
             AND (n.message #>> '{certificate,notAfter}')::bigint = (extract(epoch FROM s.ssl_not_after) * 1000)::bigint
             AND (n.message #>> '{certificate,threshold}')::int = ch.ssl_expiry_threshold)
     ) t ON true
     LEFT JOIN check_results r ON r.id = s.last_result_id
       AND r.due_at = timestamptz 'epoch' + s.last_check_run_id * interval '1 millisecond'
     WHERE s.ssl_not_after < $1::timestamptz + interval '31 days' AND s.last_run_at > $2 AND s.last_result_id IS NOT NULL
     ORDER BY s.check_id, t.threshold LIMIT $3`,
    [new Date(nowMs), new Date(nowMs - freshMs), limit],
  )
  return rows
}
