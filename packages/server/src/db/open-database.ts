import type { Database, DatabaseLog } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { openExternal } from './external.ts'

/** Where the data is: a data directory for the embedded database, or the address of a PostgreSQL server. */
export type DatabaseSource = { dataDir: string } | { url: string }

/** Opens the database; it still has to be migrated. Throws `StartRefused` when it cannot or must not be used. */
export const openDatabase = (source: DatabaseSource, log?: DatabaseLog): Promise<Database> =>
  'url' in source ? openExternal(source.url, log) : openEmbedded(source.dataDir, log)
