import type { PoolClient } from 'pg'
import { isOfDatabase } from './database-faults.ts'
import type { PreparedResult } from './result-row.ts'
import { storeBatch, type BatchOutcome } from './store-batch.ts'
import { undoTo, markUndo } from './store.ts'
import { unstorable } from './unstorable.ts'

/** How a result ended that was stored in a transaction of its own. */
export interface Alone {
  /** Undefined when nothing could be stored. */
  outcome: BatchOutcome | undefined
  /** Why the result itself could not be stored; undefined when it was. */
  error: unknown
}

/**
 * Stores one result that failed in batches, or the record that it cannot be stored. Throws when the trouble is not of
 * this result: a database that undoes what failed, on the same connection, is well.
 */
export async function storeAlone(client: PoolClient, prepared: PreparedResult, now: number): Promise<Alone> {
  const { outcome, error } = await tryToStore(client, prepared, now)
  if (outcome !== undefined) return { outcome, error: undefined }
  const record = await tryToStore(client, unstorable(prepared.incoming, error), now)
  return { outcome: record.outcome, error }
}

async function tryToStore(client: PoolClient, prepared: PreparedResult, now: number): Promise<Alone> {
  await markUndo(client)
  try {
    return { outcome: await storeBatch(client, [prepared], now), error: undefined }
  } catch (error) {
    if (isOfDatabase(error)) throw error
    await undoTo(client)
    return { outcome: undefined, error }
  }
}
