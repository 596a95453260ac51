import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryInUse, lockDirectory, type DirectoryLock } from '@vedette/checks/process'
import { systemClock } from '@vedette/wire'
import { inDataDir, makeDataDir, seeRoomFor } from '../../data-dir.ts'
import type { Database, DatabaseLog } from '../database.ts'
import { StartRefused } from '../../start-refused.ts'
import { databaseOverThread } from './database-over-thread.ts'
import { faultText } from './fault-text.ts'
import { startUpkeep } from './upkeep.ts'
import { initialiseDirectory } from './initialise-directory.ts'
import { startWorkerThread, type WorkerThread } from './worker-thread.ts'

const cluster = 'database'
const draftPrefix = `${cluster}.new`
/** A new cluster takes 41 MB. */
const bytesOfFirstStart = 64 * 2 ** 20

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Initialises the cluster in another directory and renames it, so that a kill leaves no half-made cluster. Its name is new
 * each time: the process that initialises may live a little longer than one that was killed.
 */
async function initialise(dataDir: string, directory: string): Promise<void> {
  await removeDrafts(dataDir)
  await seeRoomFor(dataDir, bytesOfFirstStart)
  const draft = await mkdtemp(join(dataDir, draftPrefix))
  await initialiseDirectory(draft)
  await rename(draft, directory)
  await syncDirectory(dataDir)
}

async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix))
  // Retries: a process that still initialises one adds files until it notices that its directory is gone.
  for (const name of drafts) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 })
}

async function serve(dataDir: string): Promise<WorkerThread> {
  const directory = join(dataDir, cluster)
  try {
    if (!hasEmbedded(dataDir)) await initialise(dataDir, directory)
    return await startWorkerThread({ directory })
  } catch (error) {
    if (error instanceof StartRefused) throw error
    const reason = faultText(error)
    throw new StartRefused(
      `The embedded database in ${directory} cannot be opened (${reason}). ` +
        'Check that the disk is writable and not full, restore a back-up, or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
}

async function lockDataDir(dataDir: string): Promise<DirectoryLock> {
  try {
    return await inDataDir(dataDir, () => lockDirectory(dataDir))
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    throw new StartRefused(
      `The data directory ${dataDir} is in use by another Vedette (${error.holder}). ` +
        'Stop that one first, or set VEDETTE_DATA_DIR to another directory.',
    )
  }
}

function tended(db: Database, log: DatabaseLog | undefined): Database {
  const upkeep = startUpkeep(db.pool, systemClock, log)
  let closing: Promise<void> | undefined
  const close = async () => {
    await upkeep.stop()
    await db.close()
  }
  return { ...db, close: () => (closing ??= close()) }
}

/** Whether a data directory holds a database already. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(join(dataDir, cluster))

/** Opens the embedded database of a data directory, after taking the directory's lock. */
export async function openEmbedded(dataDir: string, log?: DatabaseLog): Promise<Database> {
  await makeDataDir(dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const thread = await serve(dataDir)
    return tended(databaseOverThread(thread, { release: () => lock.release(), log }), log)
  } catch (error) {
    await lock.release()
    throw error
  }
}
