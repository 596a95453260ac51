import type { AlertNotification } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'

export interface NotificationFilter {
  account: string
  from: Date
  to: Date
  channelId: number | undefined
  hasFailures: boolean | undefined
  checkId: string | undefined
  resultId: string | undefined
}

type Moments =
  | 'timestamp'
  | 'dueAt'
  | 'startedAt'
  | 'finishedAt'
  | 'decidedAt'
  | 'queuedAt'
  | 'acceptedAt'
  | 'nextAttemptAt'
type NotificationRow = Omit<AlertNotification, Moments> & Record<Moments, Date | null>

const where = `n.account_id = $1 AND n.queued_at >= $2 AND n.queued_at < $3
  AND ($4::int IS NULL OR n.channel_id = $4)
  AND ($5::boolean IS NULL OR (n.status IN ('FAILURE', 'RATE_LIMITED')) = $5)
  AND ($6::uuid IS NULL OR n.check_id = $6) AND ($7::uuid IS NULL OR a.result_id = $7)`

const tables = 'alert_notifications n JOIN check_alerts a ON a.id = n.alert_id'

/** The ledger, newest first. */
export async function listNotifications(
  client: Queryable,
  filter: NotificationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notifications: AlertNotification[]; total: number }> {
  const { account, from, to, channelId, hasFailures, checkId, resultId } = filter
  const values = [account, from, to, channelId ?? null, hasFailures ?? null, checkId ?? null, resultId ?? null]
  const { rows } = await client.query<NotificationRow>(
    `SELECT n.id, n.channel_type AS type, n.status, n.alert_config AS "alertConfig",
       n.notification_result AS "notificationResult", coalesce(n.accepted_at, n.queued_at) AS timestamp,
       n.check_type AS "checkType", n.check_id AS "checkId", n.alert_id AS "checkAlertId",
       n.channel_id AS "alertChannelId", a.result_id AS "checkResultId", n.check_name AS "checkName",
       a.alert_type AS "alertType", a.reminder, n.attempts, n.response_status AS "responseStatus",
       n.due_at AS "dueAt", n.started_at AS "startedAt", n.finished_at AS "finishedAt", n.decided_at AS "decidedAt",
       n.queued_at AS "queuedAt", n.accepted_at AS "acceptedAt", n.next_attempt_at AS "nextAttemptAt"
     FROM ${tables} WHERE ${where} ORDER BY n.queued_at DESC, n.id LIMIT $8 OFFSET $9`,
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
  ...row,
  timestamp: iso(row.timestamp),
  dueAt: iso(row.dueAt),
  startedAt: iso(row.startedAt),
  finishedAt: iso(row.finishedAt),
  decidedAt: iso(row.decidedAt),
  queuedAt: iso(row.queuedAt),
  acceptedAt: iso(row.acceptedAt),
  nextAttemptAt: iso(row.nextAttemptAt),
})
