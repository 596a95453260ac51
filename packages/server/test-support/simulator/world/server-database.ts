import type { Database } from '../../../src/db/database.ts'
import { openExternal } from '../../../src/db/external.ts'
import { databaseUrlOf } from '../../open-database.ts'

/**
 * The database as one of several servers opens it. What others write is not announced to it: it is found when the
 * server looks for it, so that simulated time decides when. Close it.
 */
export async function openServerDatabase(db: Database): Promise<Database> {
  if (db.kind === 'embedded') return { ...db, close: () => Promise.resolve() }
  const own = await openExternal(databaseUrlOf(db))
  const listen = () => ({ stop: () => Promise.resolve() })
  return own.peers === undefined ? own : { ...own, peers: { self: own.peers.self, listen } }
}
