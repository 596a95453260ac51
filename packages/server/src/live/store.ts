import type { Database } from '../db/database.ts'
import type { ChecksRow } from '../db/rows.ts'

/** The account of a check, deleted or not. */
export async function accountOfCheck(db: Database, checkId: string): Promise<string | undefined> {
  const { rows } = await db.pool.query<Pick<ChecksRow, 'account_id'>>('SELECT account_id FROM checks WHERE id = $1', [
    checkId,
  ])
  return rows[0]?.account_id
}
