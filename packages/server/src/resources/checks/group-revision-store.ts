import type { Definition } from '@vedette/checks'
import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { ChecksRow } from '../../db/rows.ts'
import type { StoredEffective } from '../../settings/store.ts'
import type { SealedDefinition } from './definition/sealed-definition.ts'

/** A check of a group, as far as it concerns what its runs are given. */
export interface CheckOfGroup extends Pick<ChecksRow, 'id' | 'revision' | 'activated' | 'not_runnable'> {
  type: CheckTypeName
  definition: Definition
  secrets: Record<string, string>
}

/** The next checks of the group by id, deleted ones included: they may be restored. Locked. */
export async function readChecksOfGroup(
  client: Queryable,
  { account, groupId, after, limit }: { account: string; groupId: number; after: string; limit: number },
): Promise<CheckOfGroup[]> {
  const { rows } = await client.query<CheckOfGroup>(
    `SELECT id, type, definition, secrets, revision, activated, not_runnable FROM checks
     WHERE account_id = $1 AND group_id = $2 AND id > $3 ORDER BY id LIMIT $4 FOR UPDATE`,
    [account, groupId, after, limit],
  )
  return rows
}

export interface NextRevision {
  id: string
  toRun: SealedDefinition
  notRunnable: string | null
}

/** Stores the next revision of each. The one before keeps the settings in force, for its runs that are in flight. */
export async function insertNextRevisions(
  client: Queryable,
  account: string,
  { revisions, at }: { revisions: readonly NextRevision[]; at: Date },
): Promise<void> {
  if (revisions.length === 0) return
  const rows = revisions.map(({ id, toRun, notRunnable }) => ({ id, ...toRun, not_runnable: notRunnable }))
  await client.query(
    `WITH sent AS (SELECT * FROM json_to_recordset($2::json) AS r (id uuid, definition jsonb, secrets jsonb, not_runnable text)),
     kept AS (UPDATE check_revisions r SET effective = c.effective FROM checks c JOIN sent ON sent.id = c.id
       WHERE c.account_id = $1 AND r.check_id = c.id AND r.revision = c.revision),
     next AS (INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
       SELECT c.id, c.revision + 1, c.account_id, c.type, c.name, sent.definition, sent.secrets, $3
       FROM checks c JOIN sent ON sent.id = c.id WHERE c.account_id = $1)
     UPDATE checks c SET revision = c.revision + 1, not_runnable = sent.not_runnable FROM sent
     WHERE c.account_id = $1 AND c.id = sent.id`,
    [account, JSON.stringify(rows), at],
  )
}

/** What counts for a check: settings in force and what its runs are given. */
export interface SettingsInForce extends Pick<ChecksRow, 'activated' | 'tags'> {
  id: string
  effective: StoredEffective
  toRun: Definition
}

export async function readSettingsInForce(
  client: Queryable,
  account: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SettingsInForce>> {
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<SettingsInForce>(
    `SELECT c.id, c.activated, c.tags, c.effective, r.definition AS "toRun"
     FROM checks c JOIN check_revisions r ON r.check_id = c.id AND r.revision = c.revision
     WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])`,
    [account, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Takes deleted checks out of a group that ceases to be. */
export async function leaveGroup(client: Queryable, account: string, groupId: number): Promise<void> {
  await client.query(
    `UPDATE checks SET definition = definition || '{"groupId": null}', version = version + 1
     WHERE account_id = $1 AND group_id = $2 AND deleted_at IS NOT NULL`,
    [account, groupId],
  )
}

/** How many checks the group has. */
export async function countChecksOfGroup(client: Queryable, account: string, groupId: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM checks WHERE account_id = $1 AND group_id = $2 AND deleted_at IS NULL',
    [account, groupId],
  )
  return rows[0]?.n ?? 0
}
