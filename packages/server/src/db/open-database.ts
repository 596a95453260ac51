import { join } from 'node:path'
import type { Database, DatabaseLog } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { openExternal } from './external.ts'

/** Location of the data: a data directory for the embedded database, or the address of a PostgreSQL server. */
export type DatabaseSource = { dataDir: string } | { url: string }

/** The database that the settings name, the same for every program of an installation. */
export const databaseSource = (config: { dataDir: string; databaseUrl: string | undefined }): DatabaseSource =>
  config.databaseUrl === undefined ? { dataDir: join(config.dataDir, 'db') } : { url: config.databaseUrl }

/** Opens the database; it still has to be migrated. Throws `StartRefused` when it cannot be used. */
export const openDatabase = (source: DatabaseSource, log?: DatabaseLog): Promise<Database> =>
  'url' in source ? openExternal(source.url, log) : openEmbedded(source.dataDir, log)
