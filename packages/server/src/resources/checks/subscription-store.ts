import type { CommonCheck } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { ownSubscribedChannels, subscribedChannels } from '../../db/subscribed-channels-store.ts'

export type CheckSubscription = CommonCheck['alertChannelSubscriptions'][number]

export interface SubscribedChannel extends CheckSubscription {
  checkId: string
  type: string
  /** Secrets are masked in it. */
  config: Record<string, unknown>
}

/** The subscriptions of these checks themselves, with the channels' settings. Those of their groups only if asked for. */
export async function readSubscriptions(
  client: Queryable,
  account: string,
  checkIds: readonly string[],
  { withGroups = false } = {},
): Promise<SubscribedChannel[]> {
  const { rows } = await client.query<SubscribedChannel>({
    name: withGroups ? 'check-subscriptions-with-groups' : 'check-subscriptions',
    text: `SELECT ch.check_id AS "checkId", ch.channel_id AS "alertChannelId", ch.activated, ch.type, ch.config
     FROM ${withGroups ? subscribedChannels : ownSubscribedChannels} ch
     WHERE ch.account_id = $1 AND ch.check_id = ANY($2::uuid[])
     ORDER BY ch.channel_id, ch.through_group`,
    values: [account, checkIds],
  })
  return rows
}

export function byCheck(channels: readonly SubscribedChannel[]): Map<string, SubscribedChannel[]> {
  const found = new Map<string, SubscribedChannel[]>()
  for (const one of channels) {
    const others = found.get(one.checkId)
    if (others) others.push(one)
    else found.set(one.checkId, [one])
  }
  return found
}

export async function unknownChannels(
  client: Queryable,
  account: string,
  ids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM alert_channels WHERE account_id = $1 AND id = ANY($2::int[]) AND deleted_at IS NULL',
    [account, ids],
  )
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

/** The subscriptions that a check is to have. */
export interface WantedSubscriptions {
  checkId: string
  wanted: readonly CheckSubscription[]
}

export async function replaceSubscriptions(
  client: Queryable,
  account: string,
  all: readonly WantedSubscriptions[],
): Promise<void> {
  if (all.length === 0) return
  // Those of a deleted channel stay while it can be restored.
  await client.query(
    `DELETE FROM alert_subscriptions WHERE account_id = $1 AND check_id = ANY($2::uuid[])
       AND NOT EXISTS (SELECT 1 FROM alert_channels ch WHERE ch.id = channel_id AND ch.deleted_at IS NOT NULL)`,
    [account, all.map(({ checkId }) => checkId)],
  )
  const rows = all.flatMap(({ checkId, wanted }) => wanted.map((one) => ({ checkId, ...one })))
  if (rows.length === 0) return
  await client.query(
    `INSERT INTO alert_subscriptions (account_id, check_id, channel_id, activated)
     SELECT $1, w."checkId", w."alertChannelId", w.activated
     FROM json_to_recordset($2::json) AS w("checkId" uuid, "alertChannelId" int, activated boolean)`,
    [account, JSON.stringify(rows)],
  )
}

/**
 * Subscribes the checks to channels that they are not subscribed to: to all of them, or to those that ask for new checks.
 */
export async function subscribeToChannels(
  client: Queryable,
  account: string,
  checkIds: readonly string[],
  which: 'all' | 'autoSubscribe',
): Promise<void> {
  if (checkIds.length === 0) return
  await client.query(
    `INSERT INTO alert_subscriptions (account_id, check_id, channel_id, activated)
     SELECT $1, c.id, ch.id, true FROM alert_channels ch CROSS JOIN unnest($2::uuid[]) AS c (id)
     WHERE ch.account_id = $1 AND ch.deleted_at IS NULL AND ($3 OR ch.auto_subscribe)
     ON CONFLICT DO NOTHING`,
    [account, checkIds, which === 'all'],
  )
}
