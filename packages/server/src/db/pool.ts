import pg from 'pg'
import type { CustomTypesConfig, Pool, PoolClient } from 'pg'
import type { Database, DatabaseLog } from './database.ts'

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

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let unusable: Error | undefined
  try {
    await client.query('BEGIN')
    const answer = await work(client)
    const { command } = await client.query('COMMIT')
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, so it was rolled back.')
    return answer
  } catch (error) {
    unusable = await rollBack(client)
    throw error
  } finally {
    client.release(unusable)
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
  let closing: Promise<void> | undefined
  const end = async () => {
    await pool.end()
    await owner.release()
  }
  return {
    kind: owner.kind,
    pool,
    transaction: (work) => inTransaction(pool, work),
    failed: owner.failed,
    close: () => (closing ??= end()),
  }
}
