import type { CommonCheck } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckGroupsRow } from '../../db/rows.ts'
import type { GroupDefinition } from '../../settings/group-store.ts'

export type GroupSubscription = CommonCheck['alertChannelSubscriptions'][number]

/** A row of `check_groups` with its subscriptions. */
export interface GroupRow extends Pick<CheckGroupsRow, 'id' | 'version' | 'created_at' | 'updated_at'> {
  definition: GroupDefinition
  secrets: Record<string, string>
  subscriptions: GroupSubscription[]
}

const columns = `g.id, g.definition, g.secrets, g.version, g.created_at, g.updated_at,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('alertChannelId', s.channel_id, 'activated', s.activated) ORDER BY s.channel_id), '[]')
   FROM alert_subscriptions s JOIN alert_channels ch ON ch.id = s.channel_id AND ch.deleted_at IS NULL
   WHERE s.account_id = g.account_id AND s.group_id = g.id) AS subscriptions`

interface GroupFilter {
  tags: readonly string[]
  names: readonly string[]
}

export async function listGroups(
  client: Queryable,
  { account, filter }: { account: string; filter: GroupFilter },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ groups: GroupRow[]; total: number }> {
  const where = `g.account_id = $1 AND (cardinality($2::text[]) = 0 OR g.definition->'tags' ?| $2)
    AND (cardinality($3::text[]) = 0 OR g.name = ANY($3))`
  const values = [account, filter.tags, filter.names]
  const { rows } = await client.query<GroupRow>(
    `SELECT ${columns} FROM check_groups g WHERE ${where} ORDER BY g.id LIMIT $4 OFFSET $5`,
    [...values, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM check_groups g WHERE ${where}`,
    values,
  )
  return { groups: rows, total: count.rows[0]?.total ?? 0 }
}

export async function readGroupRow(
  client: Queryable,
  account: string,
  id: number,
  lock = false,
): Promise<GroupRow | undefined> {
  const { rows } = await client.query<GroupRow>(
    `SELECT ${columns} FROM check_groups g WHERE g.account_id = $1 AND g.id = $2 ${lock ? 'FOR UPDATE OF g' : ''}`,
    [account, id],
  )
  return rows[0]
}

/** Inserts a group without settings: its secrets are sealed under the id that it gets here. */
export async function insertGroup(client: Queryable, account: string, { name, at }: { name: string; at: Date }) {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO check_groups (account_id, name, definition, secrets, version, created_at)
     VALUES ($1, $2, '{}', '{}', 0, $3) RETURNING id`,
    [account, name, at],
  )
  if (!rows[0]) throw new Error('INSERT returned no row')
  return rows[0].id
}

export async function writeGroup(
  client: Queryable,
  account: string,
  { id, definition, secrets, updatedAt }: Pick<GroupRow, 'id' | 'definition' | 'secrets'> & { updatedAt: Date | null },
): Promise<void> {
  await client.query(
    `UPDATE check_groups SET name = $3, definition = $4, secrets = $5, updated_at = $6, version = version + 1
     WHERE account_id = $1 AND id = $2`,
    [account, id, definition.name, JSON.stringify(definition), JSON.stringify(secrets), updatedAt],
  )
}

export async function deleteGroup(client: Queryable, account: string, id: number): Promise<void> {
  await client.query('DELETE FROM check_groups WHERE account_id = $1 AND id = $2', [account, id])
}

/** Those of a deleted channel stay while it can be restored. */
export async function replaceGroupSubscriptions(
  client: Queryable,
  { account, groupId }: { account: string; groupId: number },
  wanted: readonly GroupSubscription[],
): Promise<void> {
  await client.query(
    `DELETE FROM alert_subscriptions WHERE account_id = $1 AND group_id = $2
       AND NOT EXISTS (SELECT 1 FROM alert_channels ch WHERE ch.id = channel_id AND ch.deleted_at IS NOT NULL)`,
    [account, groupId],
  )
  await client.query(
    `INSERT INTO alert_subscriptions (account_id, group_id, channel_id, activated)
     SELECT $1, $2, w."alertChannelId", w.activated
     FROM json_to_recordset($3::json) AS w("alertChannelId" int, activated boolean)`,
    [account, groupId, JSON.stringify(wanted)],
  )
}

export async function subscribeGroupToAll(client: Queryable, account: string, groupId: number): Promise<void> {
  await client.query(
    `INSERT INTO alert_subscriptions (account_id, group_id, channel_id, activated)
     SELECT $1, $2, id, true FROM alert_channels WHERE account_id = $1 AND deleted_at IS NULL ON CONFLICT DO NOTHING`,
    [account, groupId],
  )
}
