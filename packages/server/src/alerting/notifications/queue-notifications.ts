import type { Queryable } from '../../db/database.ts'
import { subscribedChannels } from '../../db/subscribed-channels.ts'
import { notificationIdOf, type NewAlert } from './new-alert.ts'
import { hears, type ChannelFlags } from './channel-filter.ts'

interface Listener extends ChannelFlags {
  account_id: string
  check_id: string
  channel_id: number
  channel_type: string
  config: Record<string, unknown>
  notified_of_trouble: boolean
}

/** What the ledger keeps of an alert for its notification: every value it may print, frozen when it was decided. */
export type AlertMessage = Omit<NewAlert, 'muted'>

/**
 * Records alerts and queues a notification for every channel that hears of them. Runs inside the transaction that decided them.
 * Repeating it changes nothing. Answers the number of notifications queued now.
 */
export async function queueNotifications(client: Queryable, alerts: readonly NewAlert[]): Promise<number> {
  if (alerts.length === 0) return 0
  await insertAlerts(client, alerts)
  const loud = alerts.filter((alert) => !alert.muted)
  if (loud.length === 0) return 0
  const listeners = await readListeners(client, [...new Set(loud.map((alert) => alert.checkId))])
  const rows = notificationsOf(loud, listeners)
  return rows.length === 0 ? 0 : insertNotifications(client, rows)
}

interface QueuedNotification {
  alert: NewAlert
  listener: Listener
}

/** Several alerts of one batch follow each other: what the earlier ones tell counts for the later. */
function notificationsOf(alerts: readonly NewAlert[], listeners: readonly Listener[]): QueuedNotification[] {
  const troubled = new Set(listeners.filter((one) => one.notified_of_trouble).map(keyOf))
  return alerts.flatMap((alert) =>
    listeners
      .filter((listener) => listener.check_id === alert.checkId && listener.account_id === alert.accountId)
      .filter((listener) => {
        const key = keyOf(listener)
        const told = hears(listener, alert, troubled.has(key))
        if (told && alert.alertType.endsWith('RECOVERY')) troubled.delete(key)
        else if (told && alert.alertType !== 'ALERT_SSL') troubled.add(key)
        return told
      })
      .map((listener) => ({ alert, listener })),
  )
}

const keyOf = (listener: Listener): string => `${listener.check_id} ${listener.channel_id}`

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

async function insertAlerts(client: Queryable, alerts: readonly NewAlert[]): Promise<void> {
  await client.query(
    `INSERT INTO check_alerts (id, account_id, check_id, alert_type, result_id, result_due_at, revision, location,
       response_ms, error, status_code, reminder, started_at, created_at)
     SELECT id, account_id, check_id, alert_type, result_id, result_due_at, revision, location,
       response_ms, error, status_code, reminder, started_at, created_at
     FROM jsonb_to_recordset($1::jsonb) AS a (id uuid, account_id uuid, check_id uuid, alert_type text, result_id uuid,
       result_due_at timestamptz, revision int, location text, response_ms real, error text, status_code int,
       reminder int, started_at timestamptz, created_at timestamptz)
     ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(alerts.map(alertRow))],
  )
}

const alertRow = (alert: NewAlert) => ({
  id: alert.id,
  account_id: alert.accountId,
  check_id: alert.checkId,
  alert_type: alert.alertType,
  result_id: alert.resultId,
  result_due_at: iso(alert.resultDueAt),
  revision: alert.revision,
  location: alert.location,
  response_ms: alert.responseMs,
  error: alert.cause,
  status_code: alert.statusCode,
  reminder: alert.reminder,
  started_at: iso(alert.startedAt),
  created_at: iso(alert.decidedAt),
})

async function readListeners(client: Queryable, checkIds: readonly string[]): Promise<Listener[]> {
  const { rows } = await client.query<Listener>(
    `SELECT c.account_id, c.check_id, c.channel_id, c.type AS channel_type, c.config,
       c.send_failure, c.send_recovery, c.send_degraded, c.ssl_expiry, c.ssl_expiry_threshold,
       coalesce((SELECT n.message->>'alertType' NOT LIKE '%RECOVERY' FROM alert_notifications n
         WHERE n.check_id = c.check_id AND n.channel_id = c.channel_id AND n.message->>'alertType' <> 'ALERT_SSL'
         ORDER BY n.queued_at DESC, n.due_at DESC LIMIT 1), false) AS notified_of_trouble
     FROM ${subscribedChannels} c WHERE c.check_id = ANY($1::uuid[]) AND c.activated ORDER BY c.channel_id`,
    [checkIds],
  )
  return rows
}

async function insertNotifications(client: Queryable, rows: readonly QueuedNotification[]): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, check_type, channel_id,
       channel_type, alert_config, message, status, next_attempt_at, due_at, started_at, finished_at, decided_at, queued_at)
     SELECT id, account_id, alert_id, check_id, check_name, check_type, channel_id, channel_type, alert_config, message,
       'IN_PROGRESS', decided_at, due_at, started_at, finished_at, decided_at, queued_at
     FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, account_id uuid, alert_id uuid, check_id uuid, check_name text,
       check_type text, channel_id int, channel_type text, alert_config jsonb, message jsonb, due_at timestamptz,
       started_at timestamptz, finished_at timestamptz, decided_at timestamptz, queued_at timestamptz)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows.map(notificationRow))],
  )
  return rowCount ?? 0
}

const notificationRow = ({ alert, listener }: QueuedNotification, index: number) => ({
  id: notificationIdOf(alert.id, listener.channel_id),
  account_id: alert.accountId,
  alert_id: alert.id,
  check_id: alert.checkId,
  check_name: alert.checkName,
  check_type: alert.checkType,
  channel_id: listener.channel_id,
  channel_type: listener.channel_type,
  alert_config: listener.config,
  message: messageOf(alert),
  due_at: iso(alert.resultDueAt),
  started_at: iso(alert.startedAt),
  finished_at: iso(alert.finishedAt),
  decided_at: iso(alert.decidedAt),
  queued_at: inOrder(alert.decidedAt, index),
})

/** Alerts of one batch are decided in the same millisecond: microseconds keep their order. */
const inOrder = (ms: number, index: number): string =>
  new Date(ms).toISOString().replace('Z', `${String(Math.min(index, 999)).padStart(3, '0')}Z`)

function messageOf(alert: NewAlert): AlertMessage {
  const message: Partial<NewAlert> = { ...alert }
  delete message.muted
  return message as AlertMessage
}
