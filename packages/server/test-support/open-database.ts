import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Database } from '../src/db/database.ts'
import { databaseOverThread } from '../src/db/embedded/database-over-thread.ts'
import { startWorkerThread } from '../src/db/embedded/worker-thread.ts'
import { openExternal } from '../src/db/external.ts'
import { migrate } from '../src/db/migrate.ts'
import { ensurePartitions } from '../src/db/partitions.ts'

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
  // What a test stores need not outlive a power failure.
  own.searchParams.set('options', '-c synchronous_commit=off')
  const opened = await openExternal(own.href)
  const db: TestDatabase = {
    ...opened,
    address: own.href,
    async close() {
      await opened.close()
      await onServer(url, `DROP DATABASE IF EXISTS ${name}`)
    },
  }
  return db
}

interface TestDatabase extends Database {
  /** Set on a PostgreSQL server. */
  address?: string
}

/** The address of a test database on PostgreSQL, to open it a second time. */
export function databaseUrlOf(db: Database): string {
  const url = (db as TestDatabase).address
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
