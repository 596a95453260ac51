import type { Definition } from '@vedette/checks'
import type { Queryable } from '../../db/database.ts'

/** A check of which it is written down that it cannot run. */
export interface NotRunnableCheck {
  id: string
  type: string
  definition: Definition
  not_runnable: string
}

/** A page of those of all accounts, deleted ones included, by id, locked. */
export async function lockNotRunnable(client: Queryable, afterId: string, limit: number): Promise<NotRunnableCheck[]> {
  const { rows } = await client.query<NotRunnableCheck>(
    `SELECT id, type, definition, not_runnable FROM checks WHERE not_runnable IS NOT NULL AND id > $1
     ORDER BY id LIMIT $2 FOR UPDATE`,
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
