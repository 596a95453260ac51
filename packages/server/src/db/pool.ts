import pg from 'pg'
import type { CustomTypesConfig, Pool, PoolClient } from 'pg'
import type { Database, DatabaseLog, TransactionOptions } from './database.ts'
import { answeredWithin, dropSilentConnections, isUnanswered } from './silence.ts'

const int8 = 20

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database answered ${text}, more than a number can hold.`)
  return value
}

/** int8 (and so count(*)) is read as a number; other types as pg reads them, timestamptz as Date. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format),
}

async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** A little more than the server gives its statements, because an error of the server says more. */
const patient = (client: PoolClient, limitMs: number) => answeredWithin(client, limitMs + 2000) as PoolClient

async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  limitMs: number | undefined,
): Promise<T> {
  const connection = await pool.connect()
  const client = limitMs === undefined ? connection : patient(connection, limitMs)
  let unusable: Error | undefined
  try {
    await client.query('BEGIN')
    if (limitMs !== undefined)
      await client.query(`SET LOCAL statement_timeout = ${limitMs}; SET LOCAL lock_timeout = ${limitMs}`)
    const answer = await work(client)
    const { command } = await client.query('COMMIT')
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, so it was rolled back.')
    return answer
  } catch (error) {
    unusable = isUnanswered(error) ? error : await rollBack(connection)
    throw error
  } finally {
    connection.release(unusable)
  }
}

interface PoolOwner {
  kind: Database['kind']
  failed: Promise<Error>
  release(): Promise<void>
}

/** Makes a `Database` of a pool; `release` runs after the pool has ended. */
export function databaseOverPool(pool: Pool, owner: PoolOwner, log?: DatabaseLog): Database {
  // Without listeners the loss of a connection, idle or in use, would end the process. Its queries fail anyway.
  pool.on('error', (error) => log?.error({ err: error }, 'An idle database connection was lost.'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  dropSilentConnections(pool)
  // Nothing lies between this process and the embedded database, which ends no statement by itself.
  const limitOf = ({ limitMs }: TransactionOptions) => (owner.kind === 'embedded' ? undefined : limitMs)
  let closing: Promise<void> | undefined
  const end = async () => {
    await pool.end()
    await owner.release()
  }
  return {
    kind: owner.kind,
    pool,
    transaction: (work, options = {}) => inTransaction(pool, work, limitOf(options)),
    failed: owner.failed,
    close: () => (closing ??= end()),
  }
}
