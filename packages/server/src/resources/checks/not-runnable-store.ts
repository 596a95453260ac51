import type { Definition } from '@vedette/checks'
import type { Queryable } from '../../db/database.ts'
import type { StoredGroup } from '../../settings/group-store.ts'

/** A check of which it is written down that it cannot run. */
export interface NotRunnableCheck {
  id: string
  type: string
  definition: Definition
  /** The group that it is in. */
  group: Pick<StoredGroup, 'definition'> | null
  not_runnable: string
}

/** A page of those of all accounts, deleted ones included, by id, locked. */
export async function lockNotRunnable(client: Queryable, afterId: string, limit: number): Promise<NotRunnableCheck[]> {
  const { rows } = await client.query<NotRunnableCheck>(
    `SELECT c.id, c.type, c.definition, c.not_runnable,
       (SELECT jsonb_build_object('definition', g.definition) FROM check_groups g
        WHERE g.account_id = c.account_id AND g.id = c.group_id) AS "group"
     FROM checks c WHERE c.not_runnable IS NOT NULL AND c.id > $1 ORDER BY c.id LIMIT $2 FOR UPDATE`,
    [afterId, limit],
  )
  return rows
}

/** A check that can run from now on counts events from now. */
export async function writeNotRunnable(
  client: Queryable,
  checks: readonly { id: string; reason: string | null }[],
  at: Date,
): Promise<void> {
  await client.query(
    `UPDATE checks c SET not_runnable = r.reason,
       counted_from = CASE WHEN c.event_token IS NULL OR r.reason IS NOT NULL THEN c.counted_from ELSE $2 END
     FROM json_to_recordset($1::json) AS r(id uuid, reason text) WHERE c.id = r.id`,
    [JSON.stringify(checks), at],
  )
}
