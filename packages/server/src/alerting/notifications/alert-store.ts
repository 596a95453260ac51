import { isoTime } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AlertChannelsRow, AlertSubscriptionsRow } from '../../db/rows.ts'
import { subscribedChannels } from '../../db/subscribed-channels-store.ts'
import type { ChannelFlags, NotificationLine } from './channel-filter.ts'
import type { NewAlert } from './new-alert.ts'

/** A channel that is subscribed to a check. */
export interface Listener extends ChannelFlags, Pick<AlertSubscriptionsRow, 'account_id' | 'channel_id'> {
  check_id: string
  channel_type: AlertChannelsRow['type']
  config: Record<string, unknown>
  /** A notification of the trouble that lasts was accepted, or is being tried. */
  notified_of_trouble: boolean
  /** The same of a notification that the check is not being watched. */
  notified_of_unknown: boolean
  /** It is not subscribed any more, and to be notified of the end of a trouble of this line alone. null: it is subscribed. */
  parted_line: NotificationLine | null
}

export async function insertAlerts(client: Queryable, alerts: readonly NewAlert[]): Promise<void> {
  await client.query(
    `INSERT INTO check_alerts (id, account_id, check_id, alert_type, result_id, result_due_at, revision, location,
       response_ms, error, status_code, reminder, started_at, created_at, recorded_at, episode_id, held_by)
     SELECT id, account_id, check_id, alert_type, result_id, result_due_at, revision, location,
       response_ms, error, status_code, reminder, started_at, created_at, clock_timestamp(), episode_id, held_by
     FROM jsonb_to_recordset($1::jsonb) AS a (id uuid, account_id uuid, check_id uuid, alert_type text, result_id uuid,
       result_due_at timestamptz, revision int, location text, response_ms real, error text, status_code int,
       reminder int, started_at timestamptz, created_at timestamptz, episode_id uuid, held_by uuid, nr int)
     ORDER BY nr ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(inOrder(alerts.map(alertRow)))],
  )
}

/** The order of the rows is that of their `seq`. */
const inOrder = (rows: readonly object[]): object[] => rows.map((row, nr) => ({ ...row, nr }))

const alertRow = (alert: NewAlert) => ({
  id: alert.id,
  account_id: alert.accountId,
  check_id: alert.checkId,
  alert_type: alert.alertType,
  result_id: alert.resultId,
  result_due_at: isoTime(alert.resultDueAt),
  revision: alert.revision,
  location: alert.location,
  response_ms: alert.responseMs,
  error: alert.cause,
  status_code: alert.statusCode,
  reminder: alert.reminder,
  started_at: isoTime(alert.startedAt),
  created_at: isoTime(alert.decidedAt),
  episode_id: alert.episodeId ?? null,
  held_by: alert.heldBy ?? null,
})

/** What ends a trouble of each line. */
const recoveriesOf = {
  state: ['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'],
  watch: ['ALERT_UNKNOWN_RECOVERY'],
} as const

/** SQL: whether a notification of a trouble of this line was accepted or is being tried since its last recovery. */
const isAware = (line: NotificationLine, recoveries: readonly NewAlert['alertType'][]): string =>
  `EXISTS (SELECT 1 FROM check_alerts a JOIN alert_notifications n ON n.alert_id = a.id
     WHERE a.check_id = c.check_id AND n.channel_id = c.channel_id AND n.line = '${line}'
       AND n.status IN ('SUCCESS', 'IN_PROGRESS') AND a.alert_type NOT LIKE '%RECOVERY'
       AND a.seq > coalesce((SELECT max(r.seq) FROM check_alerts r WHERE r.check_id = c.check_id
         AND r.alert_type IN (${recoveries.map((type) => `'${type}'`).join(', ')})), 0))`

const ofChannels = `ch.type, ch.config, ch.send_failure, ch.send_recovery, ch.send_degraded, ch.ssl_expiry, ch.ssl_expiry_threshold`

/** SQL: the channels subscribed to checks, and those that know of a trouble through a group that the check has left. */
const listeningChannels = `(
  SELECT ch.account_id, ch.check_id, ch.channel_id, ${ofChannels}, NULL AS parted_line
  FROM ${subscribedChannels} ch WHERE ch.activated
  UNION ALL
  SELECT p.account_id, p.check_id, p.channel_id, ${ofChannels}, p.line
  FROM check_parted_channels p
  JOIN alert_channels ch ON ch.account_id = p.account_id AND ch.id = p.channel_id AND ch.deleted_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${subscribedChannels} s
    WHERE s.check_id = p.check_id AND s.channel_id = p.channel_id AND s.activated))`

/**
 * Has the channels that know of a trouble of these checks through their groups notified of its end, although they are not
 * subscribed any more after what follows. `checks` is SQL for the checks `c`.
 */
export async function partFromChannels(client: Queryable, checks: string, values: readonly unknown[]): Promise<void> {
  const aware = (line: NotificationLine, recoveries: readonly NewAlert['alertType'][]) =>
    `SELECT account_id, check_id, channel_id, '${line}' FROM known c WHERE ${isAware(line, recoveries)}`
  await client.query(
    `WITH known AS MATERIALIZED (SELECT ch.account_id, ch.check_id, ch.channel_id
       FROM checks c JOIN ${subscribedChannels} ch ON ch.check_id = c.id AND ch.through_group AND ch.activated
       WHERE ${checks})
     INSERT INTO check_parted_channels (account_id, check_id, channel_id, line)
     ${aware('state', recoveriesOf.state)} UNION ALL ${aware('watch', recoveriesOf.watch)} ON CONFLICT DO NOTHING`,
    [...values],
  )
}

/** These troubles have ended, of which parted channels were to be notified. */
export async function endParting(
  client: Queryable,
  ended: readonly { checkId: string; line: NotificationLine }[],
): Promise<void> {
  await client.query(
    `DELETE FROM check_parted_channels p USING json_to_recordset($1::json) AS e ("checkId" uuid, line text)
     WHERE p.check_id = e."checkId" AND p.line = e.line`,
    [JSON.stringify(ended)],
  )
}

export async function readListeners(client: Queryable, checkIds: readonly string[]): Promise<Listener[]> {
  const { rows } = await client.query<Listener>(
    `SELECT c.account_id, c.check_id, c.channel_id, c.type AS channel_type, c.config,
       c.send_failure, c.send_recovery, c.send_degraded, c.ssl_expiry, c.ssl_expiry_threshold,
       ${isAware('state', recoveriesOf.state)} AS notified_of_trouble,
       ${isAware('watch', recoveriesOf.watch)} AS notified_of_unknown, c.parted_line
     FROM ${listeningChannels} c WHERE c.check_id = ANY($1::uuid[]) ORDER BY c.channel_id`,
    [checkIds],
  )
  return rows
}

/** A subscribed channel with no accepted notification of a trouble, and none that is being tried. */
export interface UnawareListener extends Omit<Listener, 'notified_of_trouble' | 'notified_of_unknown' | 'parted_line'> {
  /** The alert that told others of the trouble. */
  alert_id: string
  alert_type: NewAlert['alertType']
  /** How many notifications of that alert the channel had. */
  rounds: number
  /** How many notifications of the trouble it did not accept, and when the newest was queued. */
  given_up: number
  last_queued_at: Date | null
}

export async function readUnaware(
  client: Queryable,
  troubles: readonly { checkId: string; notifiedAt: number }[],
): Promise<UnawareListener[]> {
  const { rows } = await client.query<UnawareListener>(
    `SELECT c.account_id, c.check_id, c.channel_id, c.type AS channel_type, c.config,
       c.send_failure, c.send_recovery, c.send_degraded, c.ssl_expiry, c.ssl_expiry_threshold,
       a.id AS alert_id, a.alert_type, known.rounds, known.given_up, known.last_queued_at
     FROM jsonb_to_recordset($1::jsonb) AS t (check_id uuid, notified_at timestamptz)
     JOIN LATERAL (SELECT id, alert_type, seq FROM check_alerts
       WHERE check_id = t.check_id AND created_at = t.notified_at AND reminder = 0
         AND alert_type NOT IN ('ALERT_SSL', 'ALERT_UNKNOWN') AND alert_type NOT LIKE '%RECOVERY'
       ORDER BY seq DESC LIMIT 1) a ON true
     JOIN ${subscribedChannels} c ON c.check_id = t.check_id AND c.activated
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS given_up, count(*) FILTER (WHERE n.alert_id = a.id)::int AS rounds,
         (array_agg(n.queued_at ORDER BY n.seq DESC))[1] AS last_queued_at, coalesce(bool_or(n.status IN ('SUCCESS', 'IN_PROGRESS')), false) AS is_aware
       FROM check_alerts later JOIN alert_notifications n ON n.alert_id = later.id
       WHERE later.check_id = t.check_id AND later.seq >= a.seq AND n.channel_id = c.channel_id AND n.line = 'state') known
     WHERE NOT known.is_aware ORDER BY c.check_id, c.channel_id`,
    [
      JSON.stringify(
        troubles.map(({ checkId, notifiedAt }) => ({ check_id: checkId, notified_at: isoTime(notifiedAt) })),
      ),
    ],
  )
  return rows
}

/**
 * Inserts rows of `alert_notifications`; those already there stay as they are. Returns how many are new. One that must wait
 * for an older one of its line is due no sooner than that, so that looks for what is due do not pass over it.
 */
export async function insertNotifications(client: Queryable, rows: readonly object[]): Promise<number> {
  const { rowCount } = await client.query(
    `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at)
     INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, check_type, channel_id,
       channel_type, alert_config, message, round, status, planned_at, next_attempt_at, due_at, started_at, finished_at,
       decided_at, queued_at)
     SELECT id, account_id, alert_id, check_id, check_name, check_type, channel_id, channel_type, alert_config, message, round,
       'IN_PROGRESS', moment.at, coalesce(older.next_attempt_at, moment.at), due_at, started_at, finished_at, decided_at, queued_at
     FROM moment CROSS JOIN jsonb_to_recordset($1::jsonb) AS n (id uuid, account_id uuid, alert_id uuid, check_id uuid, check_name text,
       check_type text, channel_id int, channel_type text, alert_config jsonb, message jsonb, round int, due_at timestamptz,
       started_at timestamptz, finished_at timestamptz, decided_at timestamptz, queued_at timestamptz, line text, nr int)
     LEFT JOIN LATERAL (SELECT o.next_attempt_at FROM alert_notifications o
       WHERE o.status = 'IN_PROGRESS' AND o.subject_id = coalesce(n.check_id, n.account_id)
         AND o.channel_id = n.channel_id AND o.line = n.line AND o.planned_at <= moment.at ORDER BY o.seq DESC LIMIT 1) older ON true
     ORDER BY nr ON CONFLICT DO NOTHING`,
    [JSON.stringify(inOrder(rows))],
  )
  return rowCount ?? 0
}
