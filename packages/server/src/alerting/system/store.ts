import type { Queryable } from '../../db/database.ts'
import { operatorAccountSql } from '../../db/operator-store.ts'
import type { AlertChannelsRow, SystemTroublesRow } from '../../db/rows.ts'
import type { Trouble } from '../../trouble.ts'
import type { SealedVariable } from '../delivery/account-variables.ts'
import { readVariables } from '../../settings/variable-store.ts'
import type { ConcernedAccount, OpenTrouble, SystemAlert } from './system-alert.ts'

/** A channel that is told of the installation's own health: one that takes new checks by itself, of an account that is not suspended. */
export interface Subscriber extends Pick<
  AlertChannelsRow,
  'id' | 'account_id' | 'type' | 'send_failure' | 'send_recovery'
> {
  config: Record<string, unknown>
  secrets: Record<string, string>
  /** Its account operates the installation. */
  is_operator: boolean
}

export async function readSubscribers(db: Queryable): Promise<Subscriber[]> {
  const { rows } = await db.query<Subscriber>(
    `SELECT id, account_id, type, config, secrets, send_failure, send_recovery,
       account_id::text = (${operatorAccountSql}) AS is_operator
     FROM alert_channels c
     WHERE auto_subscribe AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account_id AND a.suspended_at IS NOT NULL)
     ORDER BY id`,
  )
  return rows
}

/** Their accounts, each once. */
export const accountsOf = (subscribers: readonly Subscriber[]): ConcernedAccount[] => [
  ...new Map(subscribers.map((one) => [one.account_id, { id: one.account_id, isOperator: one.is_operator }])).values(),
]

export const subscribes = (
  { account_id, send_failure, send_recovery }: Subscriber,
  alert: Pick<SystemAlert, 'accountId' | 'type'>,
): boolean => account_id === alert.accountId && (alert.type === 'ALERT_SYSTEM' ? send_failure : send_recovery)

/** Variables of accounts, sealed as they are stored. */
export async function readSealedVariables(
  db: Queryable,
  accounts: readonly string[],
): Promise<Map<string, SealedVariable[]>> {
  const found = new Map<string, SealedVariable[]>()
  for (const account of accounts) found.set(account, await readVariables(db, account))
  return found
}

export async function readOpenTroubles(db: Queryable): Promise<OpenTrouble[]> {
  const { rows } = await db.query<Pick<SystemTroublesRow, 'id'> & { trouble: Trouble }>(
    'SELECT id, trouble FROM system_troubles ORDER BY alerted_at, key',
  )
  return rows
}

export async function insertOpenTrouble(client: Queryable, { id, trouble }: OpenTrouble, nowMs: number): Promise<void> {
  await client.query(
    `INSERT INTO system_troubles (key, id, trouble, alerted_at) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING`,
    [trouble.key, id, JSON.stringify(trouble), new Date(nowMs)],
  )
}

export async function deleteOpenTrouble(client: Queryable, { id, trouble }: OpenTrouble): Promise<void> {
  await client.query('DELETE FROM system_troubles WHERE key = $1 AND id = $2', [trouble.key, id])
}

export async function insertSystemAlert(client: Queryable, alert: SystemAlert): Promise<void> {
  const { alertId, accountId, type, trouble, decidedAt } = alert
  await client.query(
    `INSERT INTO check_alerts (id, account_id, alert_type, location, error, reminder, created_at, recorded_at)
     VALUES ($1, $2, $3, $4, $5, 0, $6, clock_timestamp()) ON CONFLICT (id) DO NOTHING`,
    [alertId, accountId, type, trouble.location, type === 'ALERT_SYSTEM' ? trouble.text : null, new Date(decidedAt)],
  )
}

/** What became of the notifications of an alert over one channel. */
export interface ChannelKnowledge {
  alert_id: string
  channel_id: number
  /** How many notifications it had; when `is_aware` is false, none of them was accepted or is being tried. */
  given_up: number
  last_queued_at: Date
  is_aware: boolean
}

export async function readKnowledge(db: Queryable, alertIds: readonly string[]): Promise<ChannelKnowledge[]> {
  const { rows } = await db.query<ChannelKnowledge>(
    `SELECT alert_id, channel_id, count(*)::int AS given_up, (array_agg(queued_at ORDER BY seq DESC))[1] AS last_queued_at,
       bool_or(status IN ('SUCCESS', 'IN_PROGRESS')) AS is_aware
     FROM alert_notifications WHERE check_id IS NULL AND alert_id = ANY($1::uuid[]) GROUP BY alert_id, channel_id`,
    [alertIds],
  )
  return rows
}

/** What became of a notification that was sent without the outbox. */
export interface DirectOutcome {
  notificationId: string
  attempts: number
  /** Epoch milliseconds; undefined while it is not accepted: then the outbox goes on with it. */
  acceptedAt: number | undefined
  status: number | undefined
  response: string
}

export async function recordDirectOutcome(client: Queryable, outcome: DirectOutcome): Promise<void> {
  const { notificationId, attempts, acceptedAt, status, response } = outcome
  await client.query(
    `UPDATE alert_notifications SET attempts = $2, response_status = $3, notification_result = $4,
       status = CASE WHEN $5::timestamptz IS NULL THEN status ELSE 'SUCCESS' END, accepted_at = $5,
       next_attempt_at = CASE WHEN $5::timestamptz IS NULL THEN next_attempt_at END
     WHERE id = $1 AND status = 'IN_PROGRESS'`,
    [notificationId, attempts, status ?? null, response, acceptedAt === undefined ? null : new Date(acceptedAt)],
  )
}
