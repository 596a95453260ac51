import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defaultAlertSettings } from '@vedette/wire'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../src/db/database.ts'
import { databaseOverThread } from '../src/db/embedded/database-over-thread.ts'
import { startWorkerThread } from '../src/db/embedded/worker-thread.ts'
import { openExternal } from '../src/db/external.ts'
import { migrate } from '../src/db/migrate.ts'
import { ensurePartitions } from '../src/db/partitions.ts'
import { resolveChecksOfAccount } from '../src/settings/store.ts'

const cacheDirectory = fileURLToPath(new URL('../../../node_modules/.cache/vedette/', import.meta.url))

function seedFile(): string {
  const { version } = createRequire(import.meta.resolve('@electric-sql/pglite'))('../package.json') as {
    version: string
  }
  return `${cacheDirectory}empty-cluster-${version}.tar`
}

async function readSeed(): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(seedFile()))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeSeed(bytes: Uint8Array): Promise<void> {
  const file = seedFile()
  const draft = `${file}.${randomUUID()}`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(draft, bytes)
  await rename(draft, file)
}

/** Copies an empty cluster into a data directory, so that opening it skips the seconds of initialising one. */
export async function seedDataDir(dataDir: string): Promise<void> {
  if (!existsSync(seedFile())) await (await openInMemory()).close()
  const directory = join(dataDir, 'database')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await promisify(execFile)('tar', ['-xf', seedFile(), '-C', directory])
}

/** An empty embedded database in memory. Initialising takes seconds, so the first result is kept on disk. */
export async function openInMemory(): Promise<Database> {
  const seed = await readSeed()
  const thread = await startWorkerThread({ ...(seed && { seed }) })
  if (!seed) await writeSeed(await thread.dump())
  return databaseOverThread(thread, { release: () => Promise.resolve() })
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function openOnServer(url: string): Promise<Database> {
  const name = `vedette_test_${randomBytes(6).toString('hex')}`
  await onServer(url, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const opened = await openExternal(own.href)
  const db = {
    ...opened,
    async close() {
      await opened.close()
      await onServer(url, `DROP DATABASE IF EXISTS ${name}`)
    },
  }
  addresses.set(db, own.href)
  return db
}

const addresses = new WeakMap<Database, string>()

/** The address of a test database on PostgreSQL, to open it a second time. */
export function databaseUrlOf(db: Database): string {
  const url = addresses.get(db)
  if (url === undefined) throw new Error('Only a database on a PostgreSQL server has an address.')
  return url
}

/** An empty database without tables: on the server of TEST_DATABASE_URL, else embedded and in memory. */
export const openEmptyDatabase = (): Promise<Database> => {
  const url = process.env['TEST_DATABASE_URL']
  return url ? openOnServer(url) : openInMemory()
}

/** A separate migrated database, with partitions around now, for tests that need all of it. Close it. */
export async function openTestDatabase(): Promise<Database> {
  const db = await openEmptyDatabase()
  await migrate(db)
  await ensurePartitions(db, Date.now())
  return db
}

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

/** Stores the settings in force of the account's checks, as a change of account or check does. */
export const resolveSettings = (db: Database, accountId: string): Promise<string[]> =>
  resolveChecksOfAccount(db.pool, accountId)

/** Inserts an account with default alert settings and returns its id. */
export async function givenAccount(db: Database): Promise<string> {
  const id = randomUUID()
  await db.pool.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, $2, $3, $4, now())`,
    [id, `Account ${id.slice(0, 8)}`, JSON.stringify(defaultAlertSettings), ['eu-central-1']],
  )
  return id
}
