import type { Snippet } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { SnippetsRow } from '../../db/rows.ts'

const columns = ['id', 'name', 'script', 'version', 'created_at', 'updated_at'] as const
const columnList = columns.join(', ')
type SnippetRow = Pick<SnippetsRow, (typeof columns)[number]>

export type VersionedSnippet = Snippet & { version: number }

const mostUsersShown = 20

interface Users {
  snippetId: number
  usedBy: Snippet['usedBy']
  usedByCount: number
}

/** Checks by the snippets of these ids ($2) that they use. */
const usersOf = (field: 'setupSnippetId' | 'tearDownSnippetId'): string =>
  `SELECT (definition->>'${field}')::bigint AS snippet_id, id AS check_id, name FROM checks
   WHERE account_id = $1 AND deleted_at IS NULL AND definition->>'${field}' IS NOT NULL
     AND (definition->>'${field}')::bigint = ANY($2::bigint[])`

async function readUsers(client: Queryable, account: string, ids: readonly number[]): Promise<Map<number, Users>> {
  const { rows } = await client.query<Users>(
    `SELECT snippet_id::int AS "snippetId", max(total)::int AS "usedByCount",
       json_agg(json_build_object('checkId', check_id, 'name', name) ORDER BY place) AS "usedBy"
     FROM (SELECT *, row_number() OVER users AS place, count(*) OVER (PARTITION BY snippet_id) AS total
       FROM (${usersOf('setupSnippetId')} UNION ${usersOf('tearDownSnippetId')}) used
       WINDOW users AS (PARTITION BY snippet_id ORDER BY lower(name), check_id)) numbered
     WHERE place <= ${mostUsersShown} GROUP BY snippet_id`,
    [account, ids],
  )
  return new Map(rows.map((row) => [row.snippetId, row]))
}

async function toSnippets(
  client: Queryable,
  account: string,
  rows: readonly SnippetRow[],
): Promise<VersionedSnippet[]> {
  const ids = rows.map(({ id }) => id)
  const users = ids.length === 0 ? new Map<number, Users>() : await readUsers(client, account, ids)
  return rows.map(({ created_at, updated_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at?.toISOString() ?? null,
    usedBy: users.get(row.id)?.usedBy ?? [],
    usedByCount: users.get(row.id)?.usedByCount ?? 0,
  }))
}

/** By name. */
export async function listSnippets(
  client: Queryable,
  account: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ snippets: VersionedSnippet[]; total: number }> {
  const { rows } = await client.query<SnippetRow>(
    `SELECT ${columnList} FROM snippets WHERE account_id = $1 ORDER BY name LIMIT $2 OFFSET $3`,
    [account, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM snippets WHERE account_id = $1',
    [account],
  )
  return { snippets: await toSnippets(client, account, rows), total: count.rows[0]?.total ?? 0 }
}

/** With `lock`, no check can begin to use it before the transaction ends. */
export async function readSnippet(
  client: Queryable,
  account: string,
  id: number,
  lock = false,
): Promise<VersionedSnippet | undefined> {
  const { rows } = await client.query<SnippetRow>(
    `SELECT ${columnList} FROM snippets WHERE account_id = $1 AND id = $2 ${lock ? 'FOR UPDATE' : ''}`,
    [account, id],
  )
  const [snippet] = await toSnippets(client, account, rows)
  return snippet
}

/** Undefined when the name is taken. */
export async function insertSnippet(
  client: Queryable,
  account: string,
  { name, script, at }: { name: string; script: string; at: Date },
): Promise<VersionedSnippet | undefined> {
  const { rows } = await client.query<SnippetRow>(
    `INSERT INTO snippets (account_id, name, script, version, created_at) VALUES ($1, $2, $3, 1, $4)
     ON CONFLICT (account_id, name) DO NOTHING RETURNING ${columnList}`,
    [account, name, script, at],
  )
  const [snippet] = await toSnippets(client, account, rows)
  return snippet
}

/** Whether another snippet of the account has the name. */
export async function isNameTaken(
  client: Queryable,
  account: string,
  { id, name }: { id: number; name: string },
): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM snippets WHERE account_id = $1 AND name = $2 AND id <> $3', [
    account,
    name,
    id,
  ])
  return rowCount !== 0
}

export async function updateSnippet(
  client: Queryable,
  account: string,
  { id, name, script, at }: { id: number; name: string; script: string; at: Date },
): Promise<VersionedSnippet | undefined> {
  const { rows } = await client.query<SnippetRow>(
    `UPDATE snippets SET name = $3, script = $4, updated_at = $5, version = version + 1
     WHERE account_id = $1 AND id = $2 RETURNING ${columnList}`,
    [account, id, name, script, at],
  )
  const [snippet] = await toSnippets(client, account, rows)
  return snippet
}

export async function deleteSnippet(client: Queryable, account: string, id: number): Promise<void> {
  await client.query('DELETE FROM snippets WHERE account_id = $1 AND id = $2', [account, id])
}

/** The ids of these snippets that the account does not have. The others stay until the transaction ends. */
export async function unknownSnippets(
  client: Queryable,
  account: string,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM snippets WHERE account_id = $1 AND id = ANY($2::bigint[]) ORDER BY id FOR KEY SHARE',
    [account, ids],
  )
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

/** Names of the check groups that use the snippet, at most a few. */
export async function groupsWithSnippet(client: Queryable, account: string, id: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM check_groups WHERE account_id = $1
       AND (definition->'setupSnippetId' = to_jsonb($2::int) OR definition->'tearDownSnippetId' = to_jsonb($2::int))
     ORDER BY name LIMIT 5`,
    [account, id],
  )
  return rows.map(({ name }) => name)
}
