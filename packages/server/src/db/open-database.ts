import { join } from 'node:path'
import type { Database, DatabaseLog } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { openExternal } from './external.ts'

/** Where the data is: a data directory for the embedded database, or the address of a PostgreSQL server. */
export type DatabaseSource = { dataDir: string } | { url: string }

/** Where the settings put the data. Every program of an installation must look in the same place. */
export const databaseSource = (config: { dataDir: string; databaseUrl: string | undefined }): DatabaseSource =>
  config.databaseUrl === undefined ? { dataDir: join(config.dataDir, 'db') } : { url: config.databaseUrl }

/** Opens the database; it still has to be migrated. Throws `StartRefused` when it cannot or must not be used. */
export const openDatabase = (source: DatabaseSource, log?: DatabaseLog): Promise<Database> =>
  'url' in source ? openExternal(source.url, log) : openEmbedded(source.dataDir, log)
