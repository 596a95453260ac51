import { defaultAlertSettings, mostAheadMs, type LocationId } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { initialState } from '../../ingest/index.ts'
import { effectiveColumns } from '../../settings/store.ts'
import { canaryAccount, canaryCheck, canaryCheckId } from './canary-check.ts'
import { canaryChannelType } from './canary-channel.ts'
import { canaryPatienceMs, type CanaryRun } from './canary-steps.ts'

/** Makes the canary's account, check and channel, or brings the check to this state. */
export async function ensureCanary(
  client: Queryable,
  { location, isOn, at }: { location: LocationId; isOn: boolean; at: Date },
): Promise<void> {
  const { type, name, definition, effective } = canaryCheck(location)
  const columns = effectiveColumns(effective)
  await client.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at)
     VALUES ($1, 'Vedette itself', $2, $3, $4) ON CONFLICT (id) DO NOTHING`,
    [canaryAccount, JSON.stringify(defaultAlertSettings), [location], at],
  )
  const values = [canaryCheckId, canaryAccount, type, name, JSON.stringify(definition)]
  await client.query(
    `INSERT INTO checks (id, account_id, type, name, definition, effective, activated, tags, secrets, offset_sent,
       revision, version, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', false, 1, 1, $9)
     ON CONFLICT (id) DO UPDATE SET effective = $6, activated = $7`,
    [...values, columns.effective, isOn, columns.tags, at],
  )
  await client.query(
    `INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
     VALUES ($1, 1, $2, $3, $4, $5, '{}', $6) ON CONFLICT (check_id, revision) DO NOTHING`,
    [...values, at],
  )
  await client.query(
    `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', $3, $4)
     ON CONFLICT (check_id) DO NOTHING`,
    [canaryCheckId, canaryAccount, JSON.stringify(initialState()), at],
  )
  await ensureChannel(client, at)
}

async function ensureChannel(client: Queryable, at: Date): Promise<void> {
  await client.query(
    `WITH made AS (
       INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
         ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
       SELECT $1, $2, '{"name": "Vedette itself (a test)"}', '{}', false, true, false, false, 30, false, 1, $4
       WHERE NOT EXISTS (SELECT 1 FROM alert_channels WHERE account_id = $1) RETURNING id)
     INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) SELECT $1, id, $3, true FROM made`,
    [canaryAccount, canaryChannelType, canaryCheckId, at],
  )
}

/** The next failure is alerted again: the check forgets that it is failing. Notifications under way are awaited. */
export async function resetCanary(db: Queryable): Promise<void> {
  await db.query(
    `WITH reset AS (
       UPDATE check_status SET state = 'pending', alert_state = $2 WHERE check_id = $1 AND state <> 'pending'
         AND NOT EXISTS (SELECT 1 FROM alert_notifications WHERE check_id = $1 AND status = 'IN_PROGRESS')
       RETURNING check_id)
     UPDATE check_episodes SET ended_at = clock_timestamp() WHERE check_id IN (SELECT check_id FROM reset) AND ended_at IS NULL`,
    [canaryCheckId, JSON.stringify(initialState())],
  )
}

/**
 * The run of this due time, or the last one until now; undefined when there is none. A run that failed while another one of the
 * canary was alerted has no alert of its own: that one counts for both.
 */
export async function readCanaryRun(
  db: Queryable,
  by: { nowMs: number } | { dueAt: Date },
): Promise<CanaryRun | undefined> {
  const { rows } = await db.query<CanaryRun>(
    `SELECT r.due_at, r.started_at, r.stopped_at, r.received_at, r.outcome, r.cause, a.created_at AS decided_at,
       n.queued_at, n.accepted_at, CASE WHEN n.accepted_at IS NULL THEN n.notification_result END AS notification_result
     FROM check_results r
     LEFT JOIN LATERAL (SELECT id, created_at FROM check_alerts
       WHERE check_id = r.check_id AND r.outcome = 'fail' AND (result_id = r.id
         OR created_at BETWEEN r.due_at - $3 * interval '1 ms' AND r.due_at + $3 * interval '1 ms')
       ORDER BY (result_id = r.id) DESC, created_at DESC LIMIT 1) a ON true
     LEFT JOIN alert_notifications n ON n.alert_id = a.id
     WHERE r.check_id = $1 AND r.result_type = 'FINAL' AND (r.due_at = $2 OR r.due_at <= $4)
     ORDER BY r.due_at DESC, a.created_at LIMIT 1`,
    [canaryCheckId, 'dueAt' in by ? by.dueAt : null, canaryPatienceMs, 'nowMs' in by ? notAfter(by.nowMs) : null],
  )
  return rows[0]
}

/** What lies further ahead is of a time before the clock was set back, and says nothing of now. */
const notAfter = (nowMs: number): Date => new Date(nowMs + mostAheadMs)

/** When a notification of the canary was last accepted, epoch milliseconds. */
export async function readCanaryArrival(db: Queryable, nowMs: number): Promise<number | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `SELECT max(accepted_at) AS at FROM alert_notifications WHERE check_id = $1 AND accepted_at <= $2`,
    [canaryCheckId, notAfter(nowMs)],
  )
  return rows[0]?.at?.getTime() ?? null
}
