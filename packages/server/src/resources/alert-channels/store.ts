import type { AlertChannel, alertChannelDefaults } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AlertChannelsRow } from '../../db/rows.ts'
import { readChannelSubscriptions } from './subscription-store.ts'

export type ChannelFlags = Pick<AlertChannel, keyof typeof alertChannelDefaults>

/** A channel as the database holds it: secrets masked in `config`, sealed in `secrets`. */
export interface ChannelRow
  extends
    ChannelFlags,
    Pick<AlertChannelsRow, 'id' | 'type' | 'config' | 'secrets' | 'version' | 'created_at' | 'updated_at'> {
  type: AlertChannel['type']
  config: Record<string, unknown>
  secrets: Record<string, string>
}

const columns = `id, type, config, secrets, send_recovery AS "sendRecovery", send_failure AS "sendFailure",
  send_degraded AS "sendDegraded", ssl_expiry AS "sslExpiry", ssl_expiry_threshold AS "sslExpiryThreshold",
  auto_subscribe AS "autoSubscribe", version, created_at, updated_at`

export async function listChannels(
  client: Queryable,
  account: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ channels: ChannelRow[]; total: number }> {
  const { rows } = await client.query<ChannelRow>(
    `SELECT ${columns} FROM alert_channels WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2 OFFSET $3`,
    [account, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM alert_channels WHERE account_id = $1 AND deleted_at IS NULL',
    [account],
  )
  return { channels: rows, total: count.rows[0]?.total ?? 0 }
}

export async function readChannel(
  client: Queryable,
  account: string,
  id: number,
  lock = false,
): Promise<ChannelRow | undefined> {
  const { rows } = await client.query<ChannelRow>(
    `SELECT ${columns} FROM alert_channels
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL ${lock ? 'FOR UPDATE' : ''}`,
    [account, id],
  )
  return rows[0]
}

const flagValues = (flags: ChannelFlags): unknown[] => [
  flags.sendRecovery,
  flags.sendFailure,
  flags.sendDegraded,
  flags.sslExpiry,
  flags.sslExpiryThreshold,
  flags.autoSubscribe,
]

/** Inserts a channel without settings: they are sealed under the id that it gets here. */
export async function insertChannel(
  client: Queryable,
  account: string,
  { type, flags, at }: { type: string; flags: ChannelFlags; at: Date },
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
       ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, $2, '{}', '{}', $3, $4, $5, $6, $7, $8, 0, $9) RETURNING id`,
    [account, type, ...flagValues(flags), at],
  )
  if (!rows[0]) throw new Error('INSERT returned no row')
  return rows[0].id
}

export interface ChannelContent {
  type: string
  config: Record<string, unknown>
  secrets: Record<string, string>
  flags: ChannelFlags
  /** null when the config of a new channel is stored. */
  updatedAt: Date | null
}

export async function writeChannel(
  client: Queryable,
  account: string,
  id: number,
  content: ChannelContent,
): Promise<void> {
  await client.query(
    `UPDATE alert_channels SET type = $3, config = $4, secrets = $5, send_recovery = $6, send_failure = $7,
       send_degraded = $8, ssl_expiry = $9, ssl_expiry_threshold = $10, auto_subscribe = $11, updated_at = $12,
       version = version + 1
     WHERE account_id = $1 AND id = $2`,
    [
      account,
      id,
      content.type,
      JSON.stringify(content.config),
      JSON.stringify(content.secrets),
      ...flagValues(content.flags),
      content.updatedAt,
    ],
  )
}

/** The channel works, whatever it did not accept before. */
export async function noteAcceptedTest(db: Queryable, account: string, id: number, at: Date): Promise<void> {
  await db.query('UPDATE alert_channels SET test_accepted_at = $3 WHERE account_id = $1 AND id = $2', [account, id, at])
}

/** Soft-deletes the channel; the ledger keeps its name, and its secrets and subscriptions stay while it can be restored. */
export async function softDeleteChannel(client: Queryable, account: string, id: number, at: Date): Promise<void> {
  await client.query(
    `UPDATE alert_channels SET deleted_at = $3, version = version + 1 WHERE account_id = $1 AND id = $2`,
    [account, id, at],
  )
}

/** Brings back a channel that was deleted since then. Returns false when there is none. */
export async function restoreChannel(
  client: Queryable,
  { account, id }: { account: string; id: number },
  { since, at }: { since: Date; at: Date },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE alert_channels SET deleted_at = NULL, updated_at = $4, version = version + 1
     WHERE account_id = $1 AND id = $2 AND deleted_at > $3`,
    [account, id, since, at],
  )
  return rowCount === 1
}

/** Channels as the API returns them, with their subscriptions. */
export async function toChannels(
  client: Queryable,
  account: string,
  rows: readonly ChannelRow[],
): Promise<AlertChannel[]> {
  const subscriptions = await readChannelSubscriptions(
    client,
    account,
    rows.map(({ id }) => id),
  )
  return rows.map(({ secrets: _secrets, version: _version, created_at, updated_at, ...row }) => ({
    ...row,
    subscriptions: subscriptions
      .filter(({ channelId }) => channelId === row.id)
      .map(({ id, checkId, groupId, activated }) => ({ id, checkId, groupId, activated })),
    created_at: created_at.toISOString(),
    updated_at: updated_at?.toISOString() ?? null,
  }))
}
