import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { openEmptyDatabase, openTestDatabase } from './open-database.ts'

export { givenAccount, resolveSettings } from './account.ts'
export { databaseUrlOf, openEmptyDatabase, openInMemory, openTestDatabase, seedDataDir } from './open-database.ts'

// On globalThis, because one test process may load this module more than once.
const shared = globalThis as { vedetteTestDatabase?: Promise<Database>; vedetteEmptyDatabase?: Promise<Database> }

/**
 * The migrated database that all test files of a process share: call it at the top of a file, read `db` inside tests.
 * Each test makes its own account (`givenAccount`); nothing is deleted, and no test closes it.
 */
export function useDatabase(): { readonly db: Database } {
  let db: Database | undefined
  beforeAll(async () => {
    db = await (shared.vedetteTestDatabase ??= openTestDatabase())
  })
  return opened(() => db)
}

const opened = (find: () => Database | undefined) => ({
  get db(): Database {
    const db = find()
    if (!db) throw new Error('The database is there inside tests and hooks only.')
    return db
  },
})

/** A second shared database without tables, for files that create them: it is cleared before each file. */
export function useEmptyDatabase(): { readonly db: Database } {
  let db: Database | undefined
  beforeAll(async () => {
    db = await (shared.vedetteEmptyDatabase ??= openEmptyDatabase())
    await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  })
  return opened(() => db)
}

/**
 * The database of `useDatabase` for a file that changes data of the whole installation, or counts rows of all accounts.
 * Files of one process run one after another, so it is emptied before and after the file.
 */
export function useEmptiedDatabase(): { readonly db: Database } {
  const database = useDatabase()
  beforeAll(() => empty(database.db))
  afterAll(() => empty(database.db))
  return database
}

async function empty(db: Database): Promise<void> {
  const { rows } = await db.pool.query<{ tables: string }>(
    `SELECT string_agg(quote_ident(relname), ', ') AS tables FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> 'schema_migrations'`,
  )
  await db.pool.query(`TRUNCATE ${rows[0]?.tables}`)
}
