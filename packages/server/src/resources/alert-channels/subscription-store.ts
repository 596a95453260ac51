import type { Subscription } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AlertSubscriptionsRow } from '../../db/rows.ts'

export type WantedSubscription = Omit<Subscription, 'id'>
export interface StoredSubscription extends Subscription {
  channelId: number
}

const columns = ['id', 'channel_id', 'check_id', 'group_id', 'activated'] as const
const columnList = columns.join(', ')
type SubscriptionRow = Pick<AlertSubscriptionsRow, (typeof columns)[number]>

const toSubscription = ({ channel_id, check_id, group_id, ...row }: SubscriptionRow): StoredSubscription => ({
  ...row,
  channelId: channel_id,
  checkId: check_id,
  groupId: group_id,
})

/** SQL over `alert_subscriptions`: they stay while the check can be restored, and nobody sees or changes them. */
const isOfDeletedCheck = `EXISTS (SELECT 1 FROM checks c WHERE c.id = alert_subscriptions.check_id AND c.deleted_at IS NOT NULL)`

export async function readChannelSubscriptions(
  client: Queryable,
  account: string,
  channelIds: readonly number[],
): Promise<StoredSubscription[]> {
  const { rows } = await client.query<SubscriptionRow>(
    `SELECT ${columnList} FROM alert_subscriptions
     WHERE account_id = $1 AND channel_id = ANY($2::int[]) AND NOT ${isOfDeletedCheck} ORDER BY channel_id, id`,
    [account, channelIds],
  )
  return rows.map(toSubscription)
}

/** The ids of these checks that the account does not have. */
export async function unknownChecks(client: Queryable, account: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM checks WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL',
    [account, ids],
  )
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

export async function replaceChannelSubscriptions(
  client: Queryable,
  { account, channelId }: { account: string; channelId: number },
  wanted: readonly WantedSubscription[],
): Promise<void> {
  await client.query(
    `DELETE FROM alert_subscriptions WHERE account_id = $1 AND channel_id = $2 AND NOT ${isOfDeletedCheck}`,
    [account, channelId],
  )
  await client.query(
    `INSERT INTO alert_subscriptions (account_id, channel_id, check_id, group_id, activated)
     SELECT $1, $2, w."checkId", w."groupId", w.activated
     FROM json_to_recordset($3::json) AS w("checkId" uuid, "groupId" int, activated boolean)`,
    [account, channelId, JSON.stringify(wanted)],
  )
}

export async function putSubscription(
  client: Queryable,
  { account, channelId }: { account: string; channelId: number },
  { checkId, groupId, activated }: WantedSubscription,
): Promise<StoredSubscription> {
  const { rows } = await client.query<SubscriptionRow>(
    `INSERT INTO alert_subscriptions (account_id, channel_id, check_id, group_id, activated)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (channel_id, check_id, group_id) DO UPDATE SET activated = EXCLUDED.activated RETURNING ${columnList}`,
    [account, channelId, checkId, groupId, activated],
  )
  if (!rows[0]) throw new Error('INSERT returned no row')
  return toSubscription(rows[0])
}
