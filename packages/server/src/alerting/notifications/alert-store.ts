import type { Queryable } from '../../db/database.ts'
import type { AlertChannelsRow, AlertSubscriptionsRow } from '../../db/rows.ts'
import { subscribedChannels } from '../../db/subscribed-channels.ts'
import type { ChannelFlags } from './channel-filter.ts'
import type { NewAlert } from './new-alert.ts'

/** A channel that is subscribed to a check. */
export interface Listener extends ChannelFlags, Pick<AlertSubscriptionsRow, 'account_id' | 'channel_id'> {
  check_id: string
  channel_type: AlertChannelsRow['type']
  config: Record<string, unknown>
  notified_of_trouble: boolean
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export async function insertAlerts(client: Queryable, alerts: readonly NewAlert[]): Promise<void> {
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

export async function readListeners(client: Queryable, checkIds: readonly string[]): Promise<Listener[]> {
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

/** Inserts rows of `alert_notifications`; those already there stay as they are. Returns how many are new. */
export async function insertNotifications(client: Queryable, rows: readonly object[]): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, check_type, channel_id,
       channel_type, alert_config, message, status, next_attempt_at, due_at, started_at, finished_at, decided_at, queued_at)
     SELECT id, account_id, alert_id, check_id, check_name, check_type, channel_id, channel_type, alert_config, message,
       'IN_PROGRESS', decided_at, due_at, started_at, finished_at, decided_at, queued_at
     FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, account_id uuid, alert_id uuid, check_id uuid, check_name text,
       check_type text, channel_id int, channel_type text, alert_config jsonb, message jsonb, due_at timestamptz,
       started_at timestamptz, finished_at timestamptz, decided_at timestamptz, queued_at timestamptz)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  )
  return rowCount ?? 0
}
