import type { Queryable } from '../../db/database.ts'

/** SQL: what says who the parents of checks are. Those that are deleted are none until they come back. */
const links = `(SELECT l.* FROM check_parents l JOIN checks above ON above.id = l.parent_id AND above.deleted_at IS NULL)`

/** SQL over `c` (checks): the ids of its parents, as they were sent. */
export const parentIdsOf = `ARRAY(SELECT p.parent_id FROM ${links} p WHERE p.check_id = c.id ORDER BY p.nr)`

/** Those of the ids that are no check of the account. The others stay as they are until the end of the transaction. */
export async function unknownChecks(
  client: Queryable,
  account: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM checks WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
     ORDER BY id FOR KEY SHARE`,
    [account, ids],
  )
  const known = new Set(rows.map(({ id }) => id))
  return new Set(ids.filter((id) => !known.has(id)))
}

/** The parents of these checks, those of the parents, and so on: the parents of each by its id. */
export async function readParentsAbove(
  client: Queryable,
  account: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ check_id: string; parent_id: string }>(
    `WITH RECURSIVE above AS (
       SELECT check_id, parent_id FROM ${links} p WHERE account_id = $1 AND check_id = ANY($2::uuid[])
       UNION SELECT p.check_id, p.parent_id FROM above a JOIN ${links} p ON p.check_id = a.parent_id)
     SELECT check_id, parent_id FROM above`,
    [account, ids],
  )
  const above = new Map<string, string[]>()
  for (const { check_id: id, parent_id: parent } of rows) above.set(id, [...(above.get(id) ?? []), parent])
  return above
}

export async function readNames(client: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'SELECT id, name FROM checks WHERE id = ANY($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface WantedParents {
  checkId: string
  parents: readonly string[]
}

export async function replaceParents(client: Queryable, account: string, all: readonly WantedParents[]): Promise<void> {
  if (all.length === 0) return
  await client.query('DELETE FROM check_parents WHERE account_id = $1 AND check_id = ANY($2::uuid[])', [
    account,
    all.map(({ checkId }) => checkId),
  ])
  const rows = all.flatMap(({ checkId, parents }) => parents.map((parentId, nr) => ({ checkId, parentId, nr })))
  if (rows.length === 0) return
  await client.query(
    `INSERT INTO check_parents (account_id, check_id, parent_id, nr)
     SELECT $1, w."checkId", w."parentId", w.nr
     FROM json_to_recordset($2::json) AS w("checkId" uuid, "parentId" uuid, nr int)`,
    [account, JSON.stringify(rows)],
  )
}

export interface ParentLink {
  checkId: string
  parentId: string
}

export async function dropLinks(client: Queryable, account: string, dropped: readonly ParentLink[]): Promise<void> {
  if (dropped.length === 0) return
  await client.query(
    `DELETE FROM check_parents p USING json_to_recordset($2::json) AS d("checkId" uuid, "parentId" uuid)
     WHERE p.account_id = $1 AND p.check_id = d."checkId" AND p.parent_id = d."parentId"`,
    [account, JSON.stringify(dropped)],
  )
}
