import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database, Queryable } from './database.ts'
import type { SchemaMigrationsRow } from './rows.ts'
import { StartRefused } from '../start-refused.ts'

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

const ownMigrations = new URL('./migrations/', import.meta.url)

/** A migration may rewrite large tables, and another server may be applying it. */
const limitMs = 60 * 60_000

const deadlock = '40P01'
const tries = 10

// Any number, the same in every version of the program.
const migrationLock = 4_827_115

const checksumOf = (sql: string) => createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')

async function readMigration(directory: URL, file: string): Promise<Migration> {
  const parts = /^(\d{4})_(.+)\.sql$/.exec(file)
  if (!parts) throw new Error(`The migration ${file} is not named like 0001_words.sql.`)
  const sql = await readFile(new URL(file, directory), 'utf8')
  return { version: Number(parts[1]), name: parts[2] as string, sql, checksum: checksumOf(sql) }
}

async function readMigrations(directory: URL): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'))
  const migrations = await Promise.all(files.toSorted().map((file) => readMigration(directory, file)))
  const twice = migrations.find(({ version }, at) => migrations[at - 1]?.version === version)
  if (twice) throw new Error(`Two migrations have the number of ${twice.name}: the later one would never be applied.`)
  return migrations
}

type Applied = Map<number, { name: string; checksum: string }>

async function readApplied(client: Queryable): Promise<Applied> {
  const { rows } = await client.query<Pick<SchemaMigrationsRow, 'version' | 'name' | 'checksum'>>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  )
  return new Map(rows.map(({ version, name, checksum }) => [version, { name, checksum }]))
}

function refuseUnknown(applied: Applied, known: readonly Migration[]): void {
  const newest = known.at(-1)?.version ?? 0
  for (const [version, { name, checksum }] of applied) {
    if (version > newest) {
      throw new StartRefused(
        `The database was made by a newer Vedette: it has migration ${version} (${name}) and this program knows ${newest} at most. ` +
          'Start that newer version, or restore a back-up from before the upgrade.',
      )
    }
    const own = known.find((migration) => migration.version === version)
    if (own && own.checksum !== checksum) {
      throw new StartRefused(
        `Migration ${version} (${name}) of the database is not the one of this program: its text differs. ` +
          'Start the version of Vedette that made this database, or use another data directory or database.',
      )
    }
  }
}

/** Applies the first missing migration, if any. The lock makes a second server that starts now wait. */
async function applyNext(client: Queryable, known: readonly Migration[]): Promise<Migration | undefined> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const applied = await readApplied(client)
  refuseUnknown(applied, known)
  const next = known.find(({ version }) => !applied.has(version))
  if (!next) return undefined
  await client.query(next.sql)
  await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
    next.version,
    next.name,
    next.checksum,
  ])
  return next
}

/**
 * Applies it in a transaction of its own. A server of the version before may lock the same tables in another order: then
 * the database ends one of both, and a migration that it ended is applied again.
 */
async function applyNextAlone(db: Database, known: readonly Migration[], left = tries): Promise<Migration | undefined> {
  try {
    return await db.transaction((client) => applyNext(client, known), { limitMs })
  } catch (error) {
    if ((error as { code?: unknown }).code !== deadlock || left <= 1) throw error
    return applyNextAlone(db, known, left - 1)
  }
}

/**
 * Brings the database to the newest schema, each migration in its own transaction, and answers what it applied.
 * Throws `StartRefused` when the database is newer than the program or was made by other migrations.
 */
export async function migrate(db: Database, directory = ownMigrations): Promise<string[]> {
  const known = await readMigrations(directory)
  const names: string[] = []
  for (;;) {
    const done = await applyNextAlone(db, known)
    if (!done) return names
    names.push(`${String(done.version).padStart(4, '0')}_${done.name}`)
  }
}
