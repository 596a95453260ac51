import type { Queryable } from '../../db/database.ts'
import type { AuditLogRow, CheckStatusRow } from '../../db/rows.ts'
import { subscribedChannels } from '../../db/subscribed-channels-store.ts'

type FactsRow = Pick<CheckStatusRow, 'ssl_not_after'> & {
  /** The largest threshold in days among the channels that are notified of its certificate. */
  threshold: number | null
  held_by: string | null
  held_by_name: string | null
}

/** Undefined when the account has no such check. */
export async function readStatusFacts(
  client: Queryable,
  { account, checkId }: { account: string; checkId: string },
): Promise<FactsRow | undefined> {
  const { rows } = await client.query<FactsRow>(
    `SELECT s.ssl_not_after, (SELECT max(ch.ssl_expiry_threshold) FROM ${subscribedChannels} ch
       WHERE ch.account_id = c.account_id AND ch.check_id = c.id AND ch.activated AND ch.ssl_expiry) AS threshold,
       p.id AS held_by, p.name AS held_by_name
     FROM checks c JOIN check_status s ON s.check_id = c.id LEFT JOIN checks p ON p.id = s.held_by
     WHERE c.account_id = $1 AND c.id = $2 AND c.deleted_at IS NULL`,
    [account, checkId],
  )
  return rows[0]
}

/** The last entry of the audit log that says that the check was changed. The order is that of the entries: clocks may be set back. */
export async function readLastChange(
  client: Queryable,
  { account, checkId }: { account: string; checkId: string },
): Promise<Pick<AuditLogRow, 'actor' | 'at'> | undefined> {
  const { rows } = await client.query<Pick<AuditLogRow, 'actor' | 'at'>>(
    `SELECT actor, at FROM audit_log
     WHERE resource = 'checks' AND action IN ('create', 'update', 'restore') AND resource_id = $2 AND account_id = $1
     ORDER BY id DESC LIMIT 1`,
    [account, checkId],
  )
  return rows[0]
}
