import { dueAtOfId } from '@vedette/wire/ids'
import { networkAssets, type LocationId } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { slugOf } from '../../db/location-slug.ts'
import { resultColumns, type ResultRow } from './result-row.ts'

/** A run starts after its due time, at most this much: the sum of its longest wait and retries. */
const longestDelayMs = 3_600_000

interface ResultFilter {
  /** Ids of locations; results of any of them match. */
  locations?: readonly LocationId[] | undefined
  checkType?: string | undefined
  hasFailures?: boolean | undefined
  resultType: 'FINAL' | 'ATTEMPT' | 'ALL'
  /** Id of a run, which contains its due time. */
  sequenceId?: string | undefined
  /** Epoch milliseconds, included. */
  from?: number | undefined
  /** Epoch milliseconds, excluded. */
  to?: number | undefined
}

export interface ResultsOf {
  account: string
  checkId: string
  filter: ResultFilter
}

const shown = (column: string): string =>
  column === 'location' ? `${slugOf('r.location')} AS location` : `r.${column}`

const columns = `${resultColumns.map(shown).join(', ')}, c.name AS check_name, c.type AS check_type`

/** What only whole results need. */
const whole = `r.body, coalesce(
  (SELECT a.result_id FROM result_assets a WHERE a.result_id = r.id AND a.name = '${networkAssets.capture}'),
  CASE WHEN r.result_type = 'FINAL' AND r.attempts > 0 THEN
    (SELECT a.result_id FROM result_assets a WHERE a.sequence_id = r.sequence_id AND a.name = '${networkAssets.capture}'
     ORDER BY a.created_at DESC LIMIT 1) END) AS captured_id`

const from = `FROM check_results r JOIN checks c ON c.id = r.check_id`

export async function checkExists(client: Queryable, account: string, checkId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL',
    [account, checkId],
  )
  return rowCount === 1
}

/** One result. Its id contains the due time, so that one partition is read. */
export async function readResult(
  client: Queryable,
  { account, checkId, resultId }: { account: string; checkId: string; resultId: string },
): Promise<ResultRow | undefined> {
  const dueAt = dueAtOfId(resultId)
  if (dueAt === undefined) return undefined
  const { rows } = await client.query<ResultRow>(
    `SELECT ${columns}, ${whole} ${from}
     WHERE r.due_at = $1 AND r.id = $2 AND r.check_id = $3 AND r.account_id = $4 AND c.deleted_at IS NULL`,
    [new Date(dueAt), resultId, checkId, account],
  )
  return rows[0]
}

/** Newest first, also within a run, starting after the position `after`. */
export async function listResults(
  client: Queryable,
  of: ResultsOf,
  page: { limit: number; offset?: number; after?: { dueAt: number; id: string } | undefined; withBody: boolean },
): Promise<ResultRow[]> {
  const { where, values } = conditions(of)
  if (page.after) {
    values.push(new Date(page.after.dueAt), page.after.id)
    const [dueAt, id] = [`$${values.length - 1}`, `$${values.length}::uuid`]
    const attempts = `(SELECT a.attempts FROM check_results a WHERE a.due_at = ${dueAt} AND a.id = ${id})`
    where.push(`r.due_at <= ${dueAt} AND (r.due_at, r.attempts, r.id) < (${dueAt}, coalesce(${attempts}, 0), ${id})`)
  }
  values.push(page.limit, page.offset ?? 0)
  const { rows } = await client.query<ResultRow>(
    `SELECT ${columns} ${page.withBody ? `, ${whole}` : ''} ${from} WHERE ${where.join(' AND ')}
     ORDER BY r.due_at DESC, r.attempts DESC, r.id DESC LIMIT $${values.length - 1} OFFSET $${values.length}`,
    values,
  )
  return rows
}

export async function countResults(client: Queryable, of: ResultsOf): Promise<number> {
  const { where, values } = conditions(of)
  const { rows } = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total ${from} WHERE ${where.join(' AND ')}`,
    values,
  )
  return rows[0]?.total ?? 0
}

/** Results are filtered by their start, or by their due time when they never started; the index is by due time. */
function conditions({ account, checkId, filter }: ResultsOf): { where: string[]; values: unknown[] } {
  const values: unknown[] = [account, checkId]
  const where = ['r.account_id = $1', 'r.check_id = $2']
  const add = (value: unknown, condition: (parameter: string) => string) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  const at = 'coalesce(r.started_at, r.due_at)'
  if (filter.resultType !== 'ALL') add(filter.resultType, (p) => `r.result_type = ${p}`)
  if (filter.locations !== undefined) add(filter.locations, (p) => `r.location = ANY(${p}::text[])`)
  if (filter.hasFailures !== undefined) add(filter.hasFailures, (p) => `r.has_failures = ${p}`)
  if (filter.checkType !== undefined) add(filter.checkType, (p) => `c.type = ${p}`)
  if (filter.sequenceId !== undefined) {
    add(filter.sequenceId, (p) => `r.sequence_id = ${p}`)
    add(new Date(dueAtOfId(filter.sequenceId) ?? 0), (p) => `r.due_at = ${p}`)
  }
  if (filter.from !== undefined) {
    add(new Date(filter.from), (p) => `${at} >= ${p}`)
    add(new Date(Math.max(0, filter.from - longestDelayMs)), (p) => `r.due_at >= ${p}`)
  }
  if (filter.to !== undefined) add(new Date(filter.to), (p) => `${at} < ${p} AND r.due_at < ${p}`)
  return { where, values }
}
