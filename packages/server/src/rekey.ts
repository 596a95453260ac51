import { link, rename } from 'node:fs/promises'
import { readConfig, type Config } from './config.ts'
import type { Database } from './db/database.ts'
import { hasEmbedded } from './db/embedded/open-embedded.ts'
import { migrate } from './db/migrate.ts'
import { databaseSource, openDatabase } from './db/open-database.ts'
import { StartRefused } from './start-refused.ts'
import { readKeyChange } from './secrets/master-key-store.ts'
import { createKeyFile, masterKeyFile, parseMasterKey, readKeyFile } from './secrets/master-key.ts'
import { resealAll } from './secrets/reseal.ts'
import { openVault } from './secrets/vault.ts'

interface KeyChange {
  old: Buffer
  next: Buffer
  /** Installs the new key file once every secret is sealed with the new key. */
  adopt?: () => Promise<void>
}

const keyIdOf = (key: Buffer): string => openVault({ current: key }).keyId

/** Renames the old file and keeps it, because older back-ups need it. */
async function replaceKeyFile(file: string, draft: string): Promise<void> {
  const inFile = await readKeyFile(file)
  if (inFile) {
    try {
      await link(file, `${file}.${keyIdOf(inFile)}.old`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  await rename(draft, file)
}

function changeToGiven(old: Buffer, given: string): KeyChange {
  const next = parseMasterKey(given, 'VEDETTE_MASTER_KEY')
  if (next.equals(old)) {
    throw new StartRefused(
      'The new master key is the old one. Set VEDETTE_MASTER_KEY to a new key and VEDETTE_OLD_MASTER_KEY to the one in use.',
    )
  }
  return { old, next }
}

async function changeFile(old: Buffer, file: string, target: string | undefined): Promise<KeyChange> {
  const inFile = await readKeyFile(file)
  // An earlier run stopped after it had installed the new file: only its mark is left to delete.
  if (inFile && keyIdOf(inFile) === target) return { old, next: inFile }
  const draft = `${file}.new`
  return { old, next: await createKeyFile(draft), adopt: () => replaceKeyFile(file, draft) }
}

async function planChange(config: Config, target: string | undefined): Promise<KeyChange> {
  const file = masterKeyFile(config.dataDir)
  const old =
    config.oldMasterKey === undefined
      ? await readKeyFile(file)
      : parseMasterKey(config.oldMasterKey, 'VEDETTE_OLD_MASTER_KEY')
  if (!old) {
    throw new StartRefused(
      `There is no old master key: VEDETTE_OLD_MASTER_KEY is not set and ${file} does not exist. Set it to the key in use.`,
    )
  }
  return config.masterKey === undefined ? changeFile(old, file, target) : changeToGiven(old, config.masterKey)
}

async function rekey(db: Database, config: Config): Promise<string> {
  await migrate(db)
  const { old, next, adopt } = await planChange(config, await readKeyChange(db.pool))
  const vault = openVault({ current: next, old: [old] })
  const changed = await resealAll(db, vault, { oldKeyId: keyIdOf(old), ...(adopt && { adopt }) })
  const counts = Object.entries(changed).map(([table, rows]) => `${table} ${rows}`)
  return `Every secret is sealed with master key ${vault.keyId} now. Rows changed: ${counts.join(', ')}.`
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const source = databaseSource(config)
  if ('dataDir' in source && !hasEmbedded(source.dataDir)) {
    throw new StartRefused(
      `There is no database in ${source.dataDir}. Set VEDETTE_DATA_DIR or DATABASE_URL to those of the server.`,
    )
  }
  const db = await openDatabase(source)
  try {
    process.stdout.write(`${await rekey(db, config)}\n`)
  } finally {
    await db.close()
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
