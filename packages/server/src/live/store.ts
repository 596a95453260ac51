import type { Database } from '../db/database.ts'

/** Whose pages hear of the check, deleted ones included. */
export async function accountOfCheck(db: Database, checkId: string): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ accountId: string }>(
    'SELECT account_id AS "accountId" FROM checks WHERE id = $1',
    [checkId],
  )
  return rows[0]?.accountId
}
