import { dueAtOfId } from '@vedette/wire/ids'
import type { Queryable } from '../../db/database.ts'
import type { AlertNotificationsRow, CheckResultsRow } from '../../db/rows.ts'
import { mutedAt } from '../../settings/store.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'

const columns = ['id', 'account_id', 'check_id', 'channel_id', 'channel_type', 'message', 'attempts'] as const

/** A notification that this sender must attempt now; `attempts` counts this attempt. */
export interface ClaimedNotification extends Pick<AlertNotificationsRow, (typeof columns)[number]> {
  message: AlertMessage
  /** Settings of the channel now; null when it was deleted. */
  config: Record<string, unknown> | null
  secrets: Record<string, string> | null
}

export interface Claim {
  holder: string
  leaseMs: number
  limit: number
  perChannel: number
  /** Notifications whose attempt is under way here: they are not claimed again, even if their claim has run out. */
  underWay: readonly string[]
}

/** Channels with notifications that wait, found one after the other in the index, whatever the number of notifications. */
const waitingChannels = `RECURSIVE channels AS (
    (SELECT channel_id FROM alert_notifications WHERE status = 'IN_PROGRESS'
      ORDER BY channel_id, next_attempt_at, id LIMIT 1)
    UNION ALL
    SELECT (SELECT n.channel_id FROM alert_notifications n
      WHERE n.status = 'IN_PROGRESS' AND n.channel_id > channels.channel_id
      ORDER BY n.channel_id, n.next_attempt_at, n.id LIMIT 1)
    FROM channels WHERE channels.channel_id IS NOT NULL
  )`

/** Whether it is the oldest of its line that waits. Lines are those of a check, or trouble of the installation, to a channel. */
const isFirstOfLine = `n.seq <= (SELECT o.seq FROM alert_notifications o
    WHERE o.status = 'IN_PROGRESS' AND o.subject_id = n.subject_id AND o.channel_id = n.channel_id AND o.line = n.line
    ORDER BY o.seq LIMIT 1)`

const isFree = `(n.claimed_until IS NULL OR n.claimed_until <= moment.at) AND n.id <> ALL($5::uuid[])`

/**
 * Pauses and claims are measured by the clock of the database, which all senders share. Those that begin in its future
 * were planned before it was set back: they begin anew, so that no notification waits for the old time.
 */
export async function renewPlans(client: Queryable): Promise<void> {
  await client.query({
    name: 'outbox-renew',
    text: `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at), old AS (
        SELECT n.id FROM alert_notifications n CROSS JOIN moment WHERE n.status = 'IN_PROGRESS' AND n.planned_at > moment.at
        FOR UPDATE OF n SKIP LOCKED
      )
      UPDATE alert_notifications n SET planned_at = moment.at, next_attempt_at = moment.at + (next_attempt_at - planned_at),
        claimed_until = moment.at + (claimed_until - planned_at)
      FROM old CROSS JOIN moment WHERE n.id = old.id`,
  })
}

/**
 * Claims due notifications of each channel, those first that have been due for longest. A notification is skipped while
 * an older one of the same check, channel and line waits, so that a recovery never overtakes its failure; certificates
 * and whether a check is watched are lines of their own, so that they delay no other alert. A claim older than its lease
 * is taken again, because its sender was lost. Channels take turns, so that one with many notifications that does not
 * answer cannot block the others.
 */
export async function claimDue(client: Queryable, claim: Claim): Promise<ClaimedNotification[]> {
  const { rows } = await client.query<ClaimedNotification>({
    name: 'outbox-claim',
    text: `WITH ${waitingChannels}, moment AS MATERIALIZED (SELECT clock_timestamp() AS at), busy AS (
       SELECT channel_id, count(*) AS claims FROM alert_notifications, moment
       WHERE status = 'IN_PROGRESS' AND claimed_until IS NOT NULL AND claimed_until > moment.at GROUP BY channel_id
     ), ready AS (
       SELECT head.id, head.seq, row_number() OVER (PARTITION BY channels.channel_id ORDER BY head.next_attempt_at, head.id)
         + coalesce(busy.claims, 0) AS place
       FROM channels LEFT JOIN busy ON busy.channel_id = channels.channel_id
       CROSS JOIN moment CROSS JOIN LATERAL (
         SELECT n.id, n.seq, n.next_attempt_at FROM alert_notifications n
         WHERE n.status = 'IN_PROGRESS' AND n.channel_id = channels.channel_id AND n.next_attempt_at <= moment.at
           AND ${isFree} AND ${isFirstOfLine}
         ORDER BY n.next_attempt_at, n.id LIMIT $4
       ) head
       WHERE channels.channel_id IS NOT NULL
     ), taken AS (
       SELECT free.id FROM (SELECT id FROM ready WHERE place <= $4 ORDER BY place, seq) first
       CROSS JOIN moment CROSS JOIN LATERAL (
         SELECT n.id FROM alert_notifications n
         WHERE n.id = first.id AND n.status = 'IN_PROGRESS' AND n.next_attempt_at <= moment.at AND ${isFree}
         FOR UPDATE SKIP LOCKED
       ) free LIMIT $3
     ), claimed AS (
       UPDATE alert_notifications n SET claimed_by = $1, claimed_until = moment.at + $2 * interval '1 millisecond',
         planned_at = moment.at, attempts = n.attempts + 1
       FROM taken CROSS JOIN moment WHERE n.id = taken.id
       RETURNING ${columns.map((column) => `n.${column}`).join(', ')}, n.seq
     )
     SELECT claimed.*, c.config, c.secrets
     FROM claimed LEFT JOIN alert_channels c
       ON c.account_id = claimed.account_id AND c.id = claimed.channel_id AND c.deleted_at IS NULL
     ORDER BY claimed.seq`,
    values: [claim.holder, claim.leaseMs, claim.limit, claim.perChannel, claim.underWay],
  })
  return rows
}

/**
 * Milliseconds until the next notification falls due or its claim expires, not above zero when one is due; undefined
 * when none waits.
 */
export async function nextDueIn(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ in_ms: number | null }>({
    name: 'outbox-next',
    text: `SELECT extract(epoch FROM least(
         (SELECT min(next_attempt_at) FROM alert_notifications WHERE status = 'IN_PROGRESS' AND claimed_until IS NULL)
           - moment.at,
         (SELECT min(claimed_until) FROM alert_notifications WHERE status = 'IN_PROGRESS' AND claimed_until IS NOT NULL)
           - moment.at))::float8 * 1000 AS in_ms
       FROM (SELECT clock_timestamp() AS at) moment`,
  })
  return rows[0]?.in_ms ?? undefined
}

export interface Settlement {
  status: 'SUCCESS' | 'FAILURE' | 'RATE_LIMITED' | 'IN_PROGRESS'
  responseStatus: number | undefined
  result: string
  acceptedAt: number | undefined
  /** How long to wait until the next attempt, with IN_PROGRESS. */
  retryInMs: number | undefined
}

/**
 * Stores the outcome of an attempt. Returns false when the claim was lost; an accepted delivery is always stored. When
 * it is to be tried again, those that wait for it are due no sooner, so that looks for what is due do not pass over them;
 * otherwise the next of them is due.
 */
export async function settle(
  client: Queryable,
  holder: string,
  { id, attempts }: Pick<ClaimedNotification, 'id' | 'attempts'>,
  settlement: Settlement,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at), settled AS (
       UPDATE alert_notifications SET status = $4, response_status = $5, notification_result = $6, accepted_at = $7,
         planned_at = moment.at, next_attempt_at = moment.at + $8::float8 * interval '1 millisecond', claimed_by = NULL,
         claimed_until = NULL
       FROM moment WHERE id = $1 AND status = 'IN_PROGRESS' AND ((claimed_by = $2 AND attempts = $3) OR $4 = 'SUCCESS')
       RETURNING subject_id, channel_id, line, seq, next_attempt_at
     ), waiting AS (
       UPDATE alert_notifications n SET planned_at = moment.at, next_attempt_at = coalesce(settled.next_attempt_at, moment.at)
       FROM settled CROSS JOIN moment CROSS JOIN LATERAL (
         SELECT o.id FROM alert_notifications o
         WHERE o.status = 'IN_PROGRESS' AND o.subject_id = settled.subject_id AND o.channel_id = settled.channel_id
           AND o.line = settled.line AND o.seq > settled.seq
         ORDER BY o.seq LIMIT CASE WHEN $8::float8 IS NULL THEN 1 END
       ) younger
       WHERE n.id = younger.id
     )
     SELECT 1 FROM settled`,
    [
      id,
      holder,
      attempts,
      settlement.status,
      settlement.responseStatus ?? null,
      settlement.result,
      settlement.acceptedAt === undefined ? null : new Date(settlement.acceptedAt),
      settlement.retryInMs ?? null,
    ],
  )
  return rowCount === 1
}

/** Releases claims of this sender that it will not attempt, and does not count the attempt. */
export async function releaseClaims(
  client: Queryable,
  holder: string,
  claimed: readonly Pick<ClaimedNotification, 'id'>[],
): Promise<void> {
  if (claimed.length === 0) return
  await client.query(
    `UPDATE alert_notifications SET claimed_by = NULL, claimed_until = NULL, attempts = attempts - 1
     WHERE id = ANY($2::uuid[]) AND claimed_by = $1 AND status = 'IN_PROGRESS'`,
    [holder, claimed.map(({ id }) => id)],
  )
}

/** Releases claims of senders that ended. A delivery they had started may be sent twice. */
export async function releaseLostClaims(client: Queryable): Promise<void> {
  await client.query(
    `UPDATE alert_notifications SET claimed_by = NULL, claimed_until = NULL
     WHERE status = 'IN_PROGRESS' AND claimed_by IS NOT NULL`,
  )
}

/** Outcome of a notification of a channel that was deleted meanwhile. */
export const channelDeleted = 'The alert channel was deleted before it could be notified.'

/**
 * Tries those again that were given up because their channel was deleted, where they are still true: a trouble that lasts, and
 * a recovery, with no alert of the check since. One that came later was not queued for the channel.
 */
export async function releaseGivenUp(
  client: Queryable,
  { account, channelId, at }: { account: string; channelId: number; at: Date },
): Promise<void> {
  await client.query(
    `UPDATE alert_notifications n SET status = 'IN_PROGRESS', planned_at = moment.at, next_attempt_at = moment.at
     FROM (SELECT clock_timestamp() AS at) moment, check_alerts a JOIN checks c ON c.id = a.check_id
     WHERE n.account_id = $1 AND n.channel_id = $2 AND n.status = 'FAILURE' AND n.notification_result = $3
       AND a.id = n.alert_id AND c.deleted_at IS NULL AND NOT coalesce(${mutedAt('$4')}, false)
       AND NOT EXISTS (SELECT 1 FROM check_alerts later WHERE later.check_id = a.check_id AND later.seq > a.seq)
       AND (a.alert_type LIKE '%RECOVERY'
         OR EXISTS (SELECT 1 FROM check_episodes e WHERE e.id = a.episode_id AND e.ended_at IS NULL))`,
    [account, channelId, channelDeleted, at],
  )
}

/** Whether the built-in agent stood in for the location of a result. False when the result is not stored any more. */
export async function ranEmulated(client: Queryable, resultId: string): Promise<boolean> {
  const dueAt = dueAtOfId(resultId)
  if (dueAt === undefined) return false
  const { rows } = await client.query<Pick<CheckResultsRow, 'emulated'>>(
    'SELECT emulated FROM check_results WHERE due_at = $1 AND id = $2',
    [new Date(dueAt), resultId],
  )
  return rows[0]?.emulated ?? false
}
