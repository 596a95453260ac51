import pg from 'pg'
import type { Pool } from 'pg'
import type { Database, DatabaseLog } from './database.ts'
import { columnTypes, databaseOverPool } from './pool.ts'
import { StartRefused } from '../start-refused.ts'

const oldestVersion = 150_000
const connections = 10
const waitForConnectionMs = 30_000

/** The address without its password, for messages. */
function addressOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartRefused(
      'DATABASE_URL is not the address of a PostgreSQL database. Expected postgresql://user:password@host:5432/name.',
    )
  }
  return `${parsed.host}${parsed.pathname}`
}

interface ServerFacts {
  version: number
  name: string
  encoding: string
}

async function readFacts(pool: Pool, address: string): Promise<ServerFacts> {
  try {
    const { rows } = await pool.query<ServerFacts>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding`,
    )
    return rows[0] as ServerFacts
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw new StartRefused(
      `The database at ${address} does not let Vedette in (${message || code}). Start it, or correct DATABASE_URL.`,
    )
  }
}

function refuseUnfit({ version, name, encoding }: ServerFacts, address: string): void {
  if (version < oldestVersion) {
    throw new StartRefused(
      `The database at ${address} is PostgreSQL ${name}, and Vedette needs 15 or newer. Upgrade it, or use another one.`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartRefused(
      `The database at ${address} stores text as ${encoding}, and Vedette needs UTF8. Create it with ENCODING 'UTF8'.`,
    )
  }
}

/** Connects to a PostgreSQL server, and refuses one that is too old or does not answer. */
export async function openExternal(url: string, log?: DatabaseLog): Promise<Database> {
  const address = addressOf(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: waitForConnectionMs,
    types: columnTypes,
    application_name: 'vedette',
  })
  const owner = { kind: 'postgresql' as const, failed: new Promise<Error>(() => {}), release: () => Promise.resolve() }
  const db = databaseOverPool(pool, owner, log)
  try {
    refuseUnfit(await readFacts(pool, address), address)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
