import {
  checkStates,
  overviewSections,
  type CheckState,
  type OverviewGroup,
  type OverviewGrouping,
  type OverviewRow,
  type OverviewSort,
} from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import { offsetOf, type Page } from '../../http/schemas/paging.ts'
import { matching, section, type MatchColumn, type OverviewFilter } from './matching-store.ts'
import { toOverviewRow } from './overview-row.ts'
import { readRows } from './row-store.ts'
import { readStrips } from './strip-store.ts'

/** Trouble first. */
const byRank: readonly CheckState[] = ['failing', 'degraded', 'unknown', 'pending', 'passing', 'paused']
const rankOf = (state: string) =>
  `CASE ${state} ${byRank.map((each, rank) => `WHEN '${each}' THEN ${rank}`).join(' ')} END`

const orders: Record<OverviewSort, string> = {
  trouble: `${rankOf('state')}, CASE WHEN state IN ('failing', 'degraded', 'unknown') THEN since END DESC NULLS LAST, lower(name), id`,
  name: 'lower(name), id',
  lastRun: 'last_run_at DESC NULLS LAST, lower(name), id',
  responseTime: 'last_response_ms DESC NULLS LAST, lower(name), id',
}

const sectionOrder = overviewSections.map((each, rank) => `WHEN '${each}' THEN ${rank}`).join(' ')

interface GroupKey {
  columns: readonly MatchColumn[]
  /** SQL over the columns. */
  key: string
  /** SQL over `g.key`: what people call the group; the key itself when it is not said. */
  label?: string
  /** SQL over `key` and `label`. */
  order: string
}

const groupKeys = {
  section: { columns: ['muted'], key: section, order: `CASE key ${sectionOrder} END` },
  tag: {
    columns: ['tags'],
    key: `unnest(CASE WHEN tags = '{}' THEN ARRAY[NULL] ELSE tags END)`,
    order: 'lower(key), key',
  },
  host: { columns: ['host'], key: `nullif(host, '')`, order: 'key' },
  group: {
    columns: ['group_id'],
    key: 'group_id::text',
    label: '(SELECT cg.name FROM check_groups cg WHERE cg.account_id = $1 AND cg.id = g.key::int)',
    order: 'lower(label), key',
  },
  state: { columns: [], key: 'state', order: rankOf('key') },
} as const satisfies Record<Exclude<OverviewGrouping, 'none'>, GroupKey>

const mostGroups = 500

/** The list of the web app, read in few queries whatever the number of checks. */
export const overviewStore = (db: Database) => ({
  /** Of all states and sections. */
  async counts(filter: OverviewFilter): Promise<Partial<Record<CheckState, number>>> {
    const { rows: found, values } = matching({ ...filter, states: [], section: undefined }, [])
    const { rows } = await db.pool.query<{ state: CheckState; n: number }>(
      `SELECT state, count(*)::int AS n FROM (${found}) m GROUP BY state`,
      values,
    )
    return Object.fromEntries(rows.map((row) => [row.state, row.n]))
  },

  async tags(accountId: string): Promise<string[]> {
    const { rows } = await db.pool.query<{ tag: string }>(
      `SELECT DISTINCT unnest(tags) AS tag FROM checks WHERE account_id = $1 AND deleted_at IS NULL ORDER BY tag LIMIT 200`,
      [accountId],
    )
    return rows.map((row) => row.tag)
  },

  async groups(filter: OverviewFilter, groupBy: keyof typeof groupKeys): Promise<OverviewGroup[]> {
    const { columns, key, label = 'g.key', order }: GroupKey = groupKeys[groupBy]
    const { rows: found, values, ofStates } = matching(filter, columns)
    const counts = checkStates.map((state) => `count(*) FILTER (WHERE state = '${state}')::int AS ${state}`)
    const { rows } = await db.pool.query<Pick<OverviewGroup, 'key' | 'label' | 'total'> & Record<CheckState, number>>(
      `SELECT * FROM (SELECT g.*, ${label} AS label FROM (
         SELECT key, count(*) FILTER (WHERE ${ofStates})::int AS total, ${counts.join(', ')}
         FROM (SELECT ${key} AS key, state FROM (${found}) m) keyed GROUP BY key) g) labelled
       WHERE total > 0 ORDER BY ${groupBy === 'section' ? '' : 'failing = 0, key IS NULL, '}${order} LIMIT ${mostGroups}`,
      values,
    )
    return rows.map((row) => ({ key: row.key, label: row.label, total: row.total, counts: presentCounts(row) }))
  },

  async page(filter: OverviewFilter, { sort, ...page }: Page & { sort: OverviewSort }): Promise<OverviewRow[]> {
    const ids = await readPage(db, filter, { sort, ...page })
    if (ids.length === 0) return []
    const at = new Date(filter.nowMs)
    const rows = await readRows(db.pool, { accountId: filter.accountId, ids, at })
    const strips = await readStrips(db.pool, ids, at)
    // A check that was deleted since is left out.
    return ids.flatMap((id) => {
      const row = rows.get(id)
      return row ? toOverviewRow(row, strips.get(id) ?? []) : []
    })
  },
})

const presentCounts = (row: Record<CheckState, number>): Partial<Record<CheckState, number>> =>
  Object.fromEntries(checkStates.flatMap((state) => (row[state] > 0 ? [[state, row[state]]] : [])))

/** Sorts narrow rows: what a row shows is read of those on the page alone. */
async function readPage(
  db: Database,
  filter: OverviewFilter,
  { sort, ...page }: Page & { sort: OverviewSort },
): Promise<string[]> {
  const columns = ['id', 'name', 'since', 'last_run_at', 'last_response_ms'] as const
  const { rows: found, values, ofStates, add } = matching(filter, columns)
  const { rows } = await db.pool.query<{ id: string }>(
    `SELECT id FROM (${found}) m WHERE ${ofStates} ORDER BY ${orders[sort]} LIMIT ${add(page.limit)} OFFSET ${add(offsetOf(page))}`,
    values,
  )
  return rows.map((row) => row.id)
}
