import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { openExternal } from '../src/db/external.ts'
import { databaseUrlOf } from './open-database.ts'

/** A statement may take so long that only the limit of locks ends a wait within the time of a test. */
const limits = { statementMs: 60_000, lockMs: 100, answerMs: 60_000, connectMs: 5000, idleInTransactionMs: 60_000 }

/** Other sessions of a PostgreSQL: `db` soon gives up waiting for a row that somebody holds. */
export function useHeldRows(database: { readonly db: Database }) {
  let db: Database | undefined
  beforeAll(async () => {
    db = await openExternal(databaseUrlOf(database.db), undefined, limits)
  })
  afterAll(() => db?.close())
  return {
    get db(): Database {
      if (db === undefined) throw new Error('The database is there inside tests and hooks only.')
      return db
    },
    /** Works while another session holds the row with the check's status. */
    whileHeld: (checkId: string, work: () => Promise<void>): Promise<void> =>
      database.db.transaction(async (session) => {
        await session.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [checkId])
        await work()
      }),
  }
}
