import type { AlertNotification } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AlertNotificationsRow, CheckAlertsRow } from '../../db/rows.ts'

export interface NotificationFilter {
  account: string
  from: Date
  to: Date
  channelId: number | undefined
  hasFailures: boolean | undefined
  checkId: string | undefined
  resultId: string | undefined
  /** Those of Vedette itself too, which are of no check. */
  includeSystem: boolean
}

const notificationColumns = [
  'id',
  'channel_type',
  'status',
  'alert_config',
  'notification_result',
  'check_type',
  'check_id',
  'alert_id',
  'channel_id',
  'check_name',
  'attempts',
  'response_status',
  'due_at',
  'started_at',
  'finished_at',
  'decided_at',
  'queued_at',
  'accepted_at',
  'next_attempt_at',
] as const
const alertColumns = ['result_id', 'alert_type', 'reminder'] as const

type NotificationRow = Pick<AlertNotificationsRow, (typeof notificationColumns)[number]> &
  Pick<CheckAlertsRow, (typeof alertColumns)[number]> & {
    title: string | null
    channel_type: AlertNotification['type']
    check_type: AlertNotification['checkType']
    status: AlertNotification['status']
    alert_config: AlertNotification['alertConfig']
  }

const columns = [
  ...notificationColumns.map((column) => `n.${column}`),
  ...alertColumns.map((column) => `a.${column}`),
  "n.message #>> '{system,title}' AS title",
].join(', ')

const where = `n.account_id = $1 AND n.queued_at >= $2 AND n.queued_at < $3
  AND ($4::int IS NULL OR n.channel_id = $4)
  AND ($5::boolean IS NULL OR (n.status IN ('FAILURE', 'RATE_LIMITED')) = $5)
  AND ($6::uuid IS NULL OR n.check_id = $6) AND ($7::uuid IS NULL OR a.result_id = $7)
  AND ($8::boolean OR n.check_id IS NOT NULL)`

const tables = 'alert_notifications n JOIN check_alerts a ON a.id = n.alert_id'

/** The ledger, newest first. */
export async function listNotifications(
  client: Queryable,
  filter: NotificationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notifications: AlertNotification[]; total: number }> {
  const { account, from, to, channelId = null, hasFailures = null, checkId = null, resultId = null } = filter
  const values = [account, from, to, channelId, hasFailures, checkId, resultId, filter.includeSystem]
  const { rows } = await client.query<NotificationRow>(
    `SELECT ${columns}
     FROM ${tables} WHERE ${where} ORDER BY n.queued_at DESC, n.seq DESC LIMIT $9 OFFSET $10`,
    [...values, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${tables} WHERE ${where}`,
    values,
  )
  return { notifications: rows.map(toNotification), total: count.rows[0]?.total ?? 0 }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

const toNotification = (row: NotificationRow): AlertNotification => ({
  id: row.id,
  type: row.channel_type,
  status: row.status,
  alertConfig: row.alert_config,
  notificationResult: row.notification_result,
  timestamp: iso(row.accepted_at),
  checkType: row.check_type,
  checkId: row.check_id,
  checkAlertId: row.alert_id,
  alertChannelId: row.channel_id,
  checkResultId: row.result_id,
  checkName: row.check_name,
  title: row.title,
  alertType: row.alert_type,
  reminder: row.reminder,
  attempts: row.attempts,
  responseStatus: row.response_status,
  dueAt: iso(row.due_at),
  startedAt: iso(row.started_at),
  finishedAt: iso(row.finished_at),
  decidedAt: iso(row.decided_at),
  queuedAt: iso(row.queued_at),
  acceptedAt: iso(row.accepted_at),
  nextAttemptAt: iso(row.next_attempt_at),
})
