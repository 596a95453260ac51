import type { SavedView } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { SavedViewsRow } from '../../db/rows.ts'

const columns = ['id', 'name', 'query', 'created_at'] as const
const columnList = columns.join(', ')
type ViewRow = Pick<SavedViewsRow, (typeof columns)[number]>

const toView = ({ created_at, ...row }: ViewRow): SavedView => ({ ...row, created_at: created_at.toISOString() })

/** By name. */
export async function listViews(client: Queryable, account: string): Promise<SavedView[]> {
  const { rows } = await client.query<ViewRow>(
    `SELECT ${columnList} FROM saved_views WHERE account_id = $1 ORDER BY lower(name), name`,
    [account],
  )
  return rows.map(toView)
}

export async function countViews(client: Queryable, account: string): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM saved_views WHERE account_id = $1',
    [account],
  )
  return rows[0]?.total ?? 0
}

/** Undefined when the name is taken. */
export async function insertView(
  client: Queryable,
  account: string,
  view: { id: string; name: string; query: string; at: Date },
): Promise<SavedView | undefined> {
  const { rows } = await client.query<ViewRow>(
    `INSERT INTO saved_views (id, account_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, name) DO NOTHING RETURNING ${columnList}`,
    [view.id, account, view.name, view.query, view.at],
  )
  return rows[0] && toView(rows[0])
}

/** The view that was deleted; undefined when there is none. */
export async function deleteView(client: Queryable, account: string, id: string): Promise<SavedView | undefined> {
  const { rows } = await client.query<ViewRow>(
    `DELETE FROM saved_views WHERE account_id = $1 AND id = $2 RETURNING ${columnList}`,
    [account, id],
  )
  return rows[0] && toView(rows[0])
}
