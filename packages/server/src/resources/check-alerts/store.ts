import type { CheckAlert } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { slugOf } from '../../db/location-slug.ts'
import type { CheckAlertsRow } from '../../db/rows.ts'

interface AlertsOf {
  account: string
  /** null: of all checks. */
  checkId: string | null
  from: Date
  to: Date
}

interface AlertRow extends Pick<CheckAlertsRow, 'id' | 'error' | 'location' | 'created_at' | 'started_at'> {
  check_id: string
  name: string
  check_type: CheckAlert['checkType']
  alert_type: CheckAlert['alertType']
  response_ms: number | null
  status_code: string | null
  held_by: string | null
  held_by_name: string | null
}

export async function checkExists(client: Queryable, account: string, checkId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL',
    [account, checkId],
  )
  return rowCount === 1
}

const inWindow = 'a.created_at >= $2 AND a.created_at < $3 AND c.deleted_at IS NULL'

/** One statement for each question, so that each has the plan of its own index. */
const tablesOf = (checkId: string | null): string =>
  `FROM check_alerts a JOIN checks c ON c.id = a.check_id
   WHERE a.account_id = $1 AND ${inWindow} AND a.check_id ${checkId === null ? 'IS NOT NULL' : '= $4'}`

/** Newest first. */
export async function listAlerts(
  client: Queryable,
  { account, checkId, from, to }: AlertsOf,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ alerts: CheckAlert[]; total: number }> {
  const values: unknown[] = [account, from, to, ...(checkId === null ? [] : [checkId])]
  const { rows } = await client.query<AlertRow>(
    `SELECT a.id, a.check_id, c.name, c.type AS check_type, a.alert_type, ${slugOf('a.location')} AS location,
       a.response_ms, a.error, a.status_code::text, a.created_at, a.started_at, a.held_by,
       (SELECT p.name FROM checks p WHERE p.id = a.held_by) AS held_by_name
     ${tablesOf(checkId)} ORDER BY a.created_at DESC, a.seq DESC
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  const count = await client.query<{ total: number }>(`SELECT count(*)::int AS total ${tablesOf(checkId)}`, values)
  return { alerts: rows.map(toAlert), total: count.rows[0]?.total ?? 0 }
}

const toAlert = (row: AlertRow): CheckAlert => ({
  id: row.id,
  name: row.name,
  checkId: row.check_id,
  alertType: row.alert_type,
  checkType: row.check_type,
  runLocation: row.location,
  responseTime: row.response_ms,
  error: row.error,
  statusCode: row.status_code,
  created_at: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  heldBackBy: row.held_by === null || row.held_by_name === null ? null : { id: row.held_by, name: row.held_by_name },
})
