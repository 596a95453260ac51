import { randomUUID } from 'node:crypto'
import type { Database } from '../src/db/database.ts'
import type { Vault } from '../src/vault.ts'
import { channelKindOf } from '../src/alerting/channels/index.ts'
import { sealConfig } from '../src/alerting/channels/sealed-config.ts'
import { alertIdOf, type NewAlert } from '../src/alerting/notifications/new-alert.ts'
import type { GivenCheck } from './checks.ts'
import { testVault } from './vault.ts'

export interface GivenChannel {
  type?: string
  config: Record<string, unknown>
  flags?: { failure?: boolean; recovery?: boolean; degraded?: boolean }
  /** Threshold in days for notifications of certificates. */
  sslDays?: number
}

/** A channel with the check subscribed to it. */
export async function givenChannel(
  { db, vault }: { db: Database; vault: Vault },
  { accountId, checkId }: { accountId: string; checkId: string },
  { type = 'WEBHOOK', config, flags = {}, sslDays }: GivenChannel,
): Promise<number> {
  const kind = channelKindOf(type)
  if (!kind) throw new Error(`No channel kind ${type}`)
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
       ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, $2, '{}', '{}', $3, $4, $5, $6, $7, false, 1, now()) RETURNING id`,
    [
      accountId,
      type,
      flags.recovery ?? true,
      flags.failure ?? true,
      flags.degraded ?? false,
      sslDays !== undefined,
      sslDays ?? 30,
    ],
  )
  const id = rows[0]?.id ?? 0
  const sealed = sealConfig(vault, { account: accountId, channelId: id }, kind, kind.complete(config))
  await db.pool.query('UPDATE alert_channels SET config = $2, secrets = $3 WHERE id = $1', [
    id,
    JSON.stringify(sealed.config),
    JSON.stringify(sealed.secrets),
  ])
  await db.pool.query(
    'INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)',
    [accountId, id, checkId],
  )
  return id
}

/** A channel by email with the check subscribed to it. */
export const givenMailChannel = (
  { db }: { readonly db: Database },
  check: GivenCheck,
  flags: GivenChannel['flags'] = {},
): Promise<number> =>
  givenChannel(
    { db, vault: testVault },
    { accountId: check.accountId, checkId: check.id },
    { type: 'EMAIL', config: { address: 'a@example.org' }, flags },
  )

/** Notifications of the check in their order. */
export async function notificationsOf({ db }: { readonly db: Database }, check: GivenCheck) {
  const { rows } = await db.pool.query<{
    id: string
    channel_id: number
    alert_id: string
    type: string
    reminder: number
    round: number
    status: string
    cause: string | null
  }>(
    `SELECT n.id, n.channel_id, n.alert_id, a.alert_type AS type, a.reminder, n.round, n.status,
       n.message->>'cause' AS cause
     FROM alert_notifications n JOIN check_alerts a ON a.id = n.alert_id WHERE n.check_id = $1 ORDER BY n.seq`,
    [check.id],
  )
  return rows
}

/** Ends what the channel is still being told of the check. Answers how many notifications that were. */
export async function endNotifications(
  { db }: { readonly db: Database },
  { check, channel, status }: { check: GivenCheck; channel: number; status: string },
): Promise<number> {
  const { rowCount } = await db.pool.query(
    `UPDATE alert_notifications SET status = $3 WHERE check_id = $1 AND channel_id = $2 AND status = 'IN_PROGRESS'`,
    [check.id, channel, status],
  )
  return rowCount ?? 0
}

type Of = { accountId: string; checkId: string } & Partial<NewAlert>

/** An alert of a check that failed a moment before `decidedAt`. */
export function anAlert({ decidedAt = Date.now(), alertType = 'ALERT_FAILURE', ...more }: Of): NewAlert {
  const resultId = more.resultId ?? randomUUID()
  const isRecovery = alertType.endsWith('RECOVERY')
  return {
    id: alertIdOf(resultId, alertType, more.reminder ?? 0),
    checkName: 'Shop "front"',
    checkType: 'API',
    alertType,
    resultId,
    resultDueAt: decidedAt - 300,
    revision: 1,
    location: 'eu-central-1',
    responseMs: 123.4,
    cause: isRecovery ? null : 'Expected status 200, got 503',
    statusCode: isRecovery ? 200 : 503,
    startedAt: decidedAt - 250,
    finishedAt: decidedAt - 50,
    decidedAt,
    reminder: 0,
    muted: false,
    tags: ['team:shop', 'prod'],
    lastPassAt: decidedAt - 60_000,
    stateSince: decidedAt - 300,
    description: 'The front door',
    ...more,
  }
}
