import type { Queryable } from '../../db/database.ts'
import type { AlertNotificationsRow } from '../../db/rows.ts'
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
  nowMs: number
  leaseMs: number
  limit: number
  perChannel: number
}

/**
 * Claims due notifications, oldest decision of each channel first. A notification is skipped while an older one of the
 * same check and channel waits, so that a recovery never overtakes its failure. Certificate notifications are ordered
 * separately, so that they delay no other alert. A claim older than its lease is taken again, because its sender was
 * lost. Channels take turns, so that one with many notifications that does not answer cannot block the others.
 */
export async function claimDue(client: Queryable, claim: Claim): Promise<ClaimedNotification[]> {
  const { rows } = await client.query<ClaimedNotification>(
    `WITH open AS (
       SELECT id, channel_id, decided_at, next_attempt_at, claimed_until,
         row_number() OVER (PARTITION BY check_id, channel_id, message->>'alertType' = 'ALERT_SSL'
           ORDER BY decided_at, queued_at, due_at, id) AS turn
       FROM alert_notifications WHERE status = 'IN_PROGRESS'
     ), busy AS (
       SELECT channel_id, count(*) AS claims FROM open WHERE claimed_until > $1 GROUP BY channel_id
     ), ready AS (
       SELECT open.id,
         row_number() OVER (PARTITION BY open.channel_id ORDER BY open.decided_at, open.id) + coalesce(busy.claims, 0) AS place
       FROM open LEFT JOIN busy ON busy.channel_id = open.channel_id
       WHERE turn = 1 AND next_attempt_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
     ), taken AS (
       SELECT n.id FROM alert_notifications n JOIN ready ON ready.id = n.id
       WHERE ready.place <= $5 AND n.status = 'IN_PROGRESS' AND n.next_attempt_at <= $1
         AND (n.claimed_until IS NULL OR n.claimed_until <= $1)
       ORDER BY ready.place, n.decided_at, n.id LIMIT $4 FOR UPDATE OF n SKIP LOCKED
     ), claimed AS (
       UPDATE alert_notifications n SET claimed_by = $2, claimed_until = $3, attempts = n.attempts + 1
       FROM taken WHERE n.id = taken.id
       RETURNING ${columns.map((column) => `n.${column}`).join(', ')}, n.decided_at
     )
     SELECT claimed.*, c.config, c.secrets
     FROM claimed LEFT JOIN alert_channels c
       ON c.account_id = claimed.account_id AND c.id = claimed.channel_id AND c.deleted_at IS NULL
     ORDER BY claimed.decided_at, claimed.id`,
    [new Date(claim.nowMs), claim.holder, new Date(claim.nowMs + claim.leaseMs), claim.limit, claim.perChannel],
  )
  return rows
}

/** Epoch milliseconds when the next notification falls due or its claim expires; undefined when none waits. */
export async function nextDueAt(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ at: Date | null }>(
    `SELECT min(greatest(next_attempt_at, coalesce(claimed_until, next_attempt_at))) AS at
     FROM alert_notifications WHERE status = 'IN_PROGRESS'`,
  )
  return rows[0]?.at?.getTime()
}

export interface Settlement {
  status: 'SUCCESS' | 'FAILURE' | 'RATE_LIMITED' | 'IN_PROGRESS'
  responseStatus: number | undefined
  result: string
  acceptedAt: number | undefined
  /** When to try again, with IN_PROGRESS. */
  nextAttemptAt: number | undefined
}

/** Stores the outcome of an attempt. Returns false when the claim was lost; an accepted delivery is always stored. */
export async function settle(
  client: Queryable,
  holder: string,
  { id, attempts }: Pick<ClaimedNotification, 'id' | 'attempts'>,
  settlement: Settlement,
): Promise<boolean> {
  const at = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms))
  const { rowCount } = await client.query(
    `UPDATE alert_notifications SET status = $4, response_status = $5, notification_result = $6, accepted_at = $7,
       next_attempt_at = $8, claimed_by = NULL, claimed_until = NULL
     WHERE id = $1 AND status = 'IN_PROGRESS' AND ((claimed_by = $2 AND attempts = $3) OR $4 = 'SUCCESS')`,
    [
      id,
      holder,
      attempts,
      settlement.status,
      settlement.responseStatus ?? null,
      settlement.result,
      at(settlement.acceptedAt),
      at(settlement.nextAttemptAt),
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
