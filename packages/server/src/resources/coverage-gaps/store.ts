import type { CoverageGap } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import { slugOf } from '../../db/location-slug.ts'
import type { CoverageGapsRow } from '../../db/rows.ts'
import { offsetOf, type Page } from '../../http/schemas/paging.ts'

const columns = ['id', 'scope', 'check_id', 'location', 'from_at', 'to_at', 'reason'] as const
type GapRow = Pick<CoverageGapsRow, (typeof columns)[number]>

interface Wish extends Page {
  accountId: string
  from: Date
  to: Date
}

/** Times in which nothing was checked, with the reason: those of the whole installation and those of the account. */
export async function listCoverageGaps(db: Database, { accountId, from, to, ...page }: Wish) {
  const within = `FROM coverage_gaps WHERE (account_id IS NULL OR account_id = $1) AND to_at >= $2 AND from_at < $3`
  const values = [accountId, from, to]
  const total = await db.pool.query<{ n: number }>(`SELECT count(*)::int AS n ${within}`, values)
  const { rows } = await db.pool.query<GapRow>(
    `SELECT ${columns.map((column) => (column === 'location' ? `${slugOf(column)} AS location` : column)).join(', ')} ${within}
     ORDER BY from_at DESC, id DESC LIMIT $4 OFFSET $5`,
    [...values, page.limit, offsetOf(page)],
  )
  return { total: total.rows[0]?.n ?? 0, gaps: rows.map(toCoverageGap) }
}

const toCoverageGap = ({ check_id, from_at, to_at, ...row }: GapRow): CoverageGap => ({
  ...row,
  checkId: check_id,
  from: from_at.toISOString(),
  to: to_at.toISOString(),
})
