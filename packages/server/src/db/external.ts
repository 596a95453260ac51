import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { ClientBase, Pool } from 'pg'
import type { Database, DatabaseLog, Peers } from './database.ts'
import { Listener } from './listen.ts'
import { columnTypes, databaseOverPool } from './pool.ts'
import { StartRefused } from '../start-refused.ts'

const oldestVersion = 150_000
const connections = 10

/**
 * How long things may take before they are given up, in milliseconds. Together they are short enough that everything
 * goes on within 20 s after connections went silent.
 */
interface Limits {
  /** A statement, before the server ends it. Transactions with a limit of their own may take longer. */
  statementMs: number
  /** A statement's wait for a row or table that somebody else holds: one held row must not cost others their time. */
  lockMs: number
  /** The answer to a statement, before its connection is taken for dead: more than the statement may take. */
  answerMs: number
  /** Waiting for a connection. */
  connectMs: number
  /** Between two statements of a transaction, before the server ends it and so frees what it has locked. */
  idleInTransactionMs: number
}

const ordinary: Limits = {
  statementMs: 10_000,
  lockMs: 3_000,
  answerMs: 12_000,
  connectMs: 10_000,
  idleInTransactionMs: 10_000,
}

/** Idle time after which the operating system asks the other side whether it is still there. */
const keepAliveMs = 5_000

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

/** `self` is the name of this server in the changes that triggers write. */
const beginSession = (client: ClientBase, self: string, { statementMs, lockMs, idleInTransactionMs }: Limits) =>
  client.query(
    `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
     SET idle_in_transaction_session_timeout = ${idleInTransactionMs};
     SET vedette.server = '${self}'`,
  )

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

/** pg waits for what `onConnect` returns; its types do not say so. */
interface PoolSettings extends Omit<pg.PoolConfig, 'onConnect'> {
  onConnect(client: ClientBase): Promise<unknown>
}

/** Connects to a PostgreSQL server, and refuses one that is too old or does not answer. */
export async function openExternal(url: string, log?: DatabaseLog, limits = ordinary): Promise<Database> {
  const address = addressOf(url)
  const self = randomUUID()
  const settings: PoolSettings = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: columnTypes,
    application_name: 'vedette',
    // Statements instead of start-up parameters, which connection poolers refuse.
    onConnect: (client) => beginSession(client, self, limits),
  }
  const pool = new pg.Pool(settings)
  const owner = { kind: 'postgresql' as const, failed: new Promise<Error>(() => {}), release: () => Promise.resolve() }
  const peers: Peers = { self, listen: (onNotice) => new Listener({ url, channel: 'vedette_changes', onNotice, log }) }
  const db: Database = { ...databaseOverPool(pool, owner, log), peers }
  try {
    refuseUnfit(await readFacts(pool, address), address)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
