import type { Definition } from '@vedette/checks'
import type { CheckState, CheckTypeName } from '@vedette/wire'
import { shownState } from '../../db/check-state.ts'
import type { Queryable } from '../../db/database.ts'
import type { ChecksRow } from '../../db/rows.ts'
import { parentIdsOf } from './parent-store.ts'

/** A row of `checks`. The definition holds masks where secrets are. */
export interface StoredCheck extends Pick<
  ChecksRow,
  | 'id'
  | 'activated'
  | 'offset_sent'
  | 'revision'
  | 'version'
  | 'not_runnable'
  | 'muted_until'
  | 'created_at'
  | 'updated_at'
> {
  type: CheckTypeName
  /** Its locations are ids. */
  definition: Definition
  secrets: Record<string, string>
  parent_ids: string[]
}

export interface CheckFilter {
  tags: readonly string[]
  checkType: string | undefined
  search: string | undefined
  /** Part of the URL an API check requests. */
  url: string | undefined
  state: CheckState | undefined
  /** Checks of this group, by their order in it. */
  groupId?: number | undefined
  now: Date
}

const columns = `c.id, c.type, c.definition, c.secrets, c.activated, c.offset_sent, c.revision, c.version, c.not_runnable, c.muted_until,
  c.created_at, c.updated_at, ${parentIdsOf} AS parent_ids`

export async function readCheck(client: Queryable, account: string, id: string): Promise<StoredCheck | undefined> {
  const [found] = (await readChecks(client, account, [id])).values()
  return found
}

/** Those of the checks that the account has. */
export async function readChecks(
  client: Queryable,
  account: string,
  ids: readonly string[],
): Promise<Map<string, StoredCheck>> {
  const { rows } = await client.query<StoredCheck>({
    name: 'checks',
    text: `SELECT ${columns} FROM checks c WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.deleted_at IS NULL`,
    values: [account, ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export interface DeletedCheck extends StoredCheck {
  deleted_at: Date
}

/** Those of the checks that were deleted since then. */
export async function readDeletedChecks(
  client: Queryable,
  account: string,
  ids: readonly string[],
  since: Date,
): Promise<Map<string, DeletedCheck>> {
  const { rows } = await client.query<DeletedCheck>(
    `SELECT ${columns}, c.deleted_at FROM checks c
     WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.deleted_at > $3`,
    [account, ids, since],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Locks checks until the end of the transaction, deleted ones too. All that a transaction changes at once, so that
 * transactions lock them in one order.
 */
export async function lockChecks(client: Queryable, account: string, ids: readonly string[]): Promise<void> {
  await client.query('SELECT 1 FROM checks WHERE account_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE', [
    account,
    ids,
  ])
}

/** Ids of the checks that fit, in order. */
export async function readCheckIds(client: Queryable, account: string, filter: CheckFilter): Promise<string[]> {
  const { from, values } = matching(account, filter)
  const { rows } = await client.query<{ id: string }>(`SELECT c.id ${from} ORDER BY c.id`, values)
  return rows.map(({ id }) => id)
}

export async function listChecks(
  client: Queryable,
  of: { account: string; filter: CheckFilter },
  page: { limit: number; offset: number },
): Promise<{ checks: StoredCheck[]; total: number }> {
  const { from, values } = matching(of.account, of.filter)
  const { rows } = await client.query<StoredCheck>(
    `SELECT ${columns} ${from} ORDER BY ${of.filter.groupId === undefined ? 'c.created_at' : 'c.group_order'}, c.id
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, page.limit, page.offset],
  )
  const count = await client.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, values)
  return { checks: rows, total: count.rows[0]?.total ?? 0 }
}

function matching(account: string, filter: CheckFilter): { from: string; values: unknown[] } {
  const values: unknown[] = [account]
  const where = ['c.account_id = $1', 'c.deleted_at IS NULL']
  const add = (value: unknown, condition: (parameter: string) => string) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  if (filter.tags.length > 0) add(filter.tags, (p) => `c.tags && ${p}::text[]`)
  if (filter.checkType !== undefined) add(filter.checkType, (p) => `c.type = ${p}`)
  if (filter.search !== undefined) add(containing(filter.search), (p) => `(c.name ILIKE ${p} OR c.id::text ILIKE ${p})`)
  if (filter.url !== undefined) add(containing(filter.url), (p) => `c.type = 'API' AND c.target ILIKE ${p}`)
  if (filter.groupId !== undefined) add(filter.groupId, (p) => `c.group_id = ${p}`)
  if (filter.state !== undefined) {
    values.push(filter.now)
    const state = shownState(`$${values.length}`)
    add(filter.state, (p) => `${state} = ${p}`)
  }
  const join = filter.state === undefined ? '' : 'JOIN check_status s ON s.check_id = c.id'
  return { from: `FROM checks c ${join} WHERE ${where.join(' AND ')}`, values }
}

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
