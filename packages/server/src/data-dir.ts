import { access, constants, statfs } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { makeDirectory } from '@vedette/checks/process'
import { StartRefused } from './start-refused.ts'

/** Makes the folder when it is missing, and sees that this user may use it. Throws `StartRefused` in one sentence. */
export const makeDataDir = (dataDir: string): Promise<void> =>
  inDataDir(dataDir, async () => {
    await makeDirectory(dataDir)
    await seeUsable(dataDir)
    for (const folder of ownFolders) await seeUsable(join(dataDir, folder)).catch(unlessMissing)
  })

/** Those that an earlier start made, perhaps as another user. */
const ownFolders = ['db', 'db/database', 'db/database/base']

const seeUsable = (folder: string): Promise<void> => access(folder, constants.R_OK | constants.W_OK | constants.X_OK)

function unlessMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

/** Does work of the start that needs the data directory. What the file system refuses becomes one sentence. */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(dataDir, error) ?? error
  }
}

/** Throws `StartRefused` when the disk of the folder has less room than a first start takes. */
export async function seeRoomFor(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize >= bytes) return
  const [free, needed] = [bavail * bsize, bytes].map((size) => `${Math.floor(size / 2 ** 20)} MB`)
  throw new StartRefused(
    `The data directory ${dataDir} cannot be used: ${free} are free on its disk, and a first start needs ${needed}. Make room there, ${another}`,
  )
}

function refusalOf(dataDir: string, error: unknown): StartRefused | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path } = error as NodeJS.ErrnoException
  const fault = faults[code]
  // Errors of a write name no file. Whatever else writes at a start is no file.
  const isOurs = path === undefined ? fault === full : isNested(dataDir, path)
  if (fault === undefined || !isOurs) return undefined
  return new StartRefused(
    `The data directory ${dataDir} cannot be used: ${fault.what(path ?? dataDir)} (${code}). ${fault.advice}`,
    { cause: error },
  )
}

/** One of two paths holds the other, or they are the same. */
const isNested = (a: string, b: string): boolean => `${a}${sep}`.startsWith(`${b}${sep}`) || b.startsWith(`${a}${sep}`)

interface Fault {
  what: (path: string) => string
  advice: string
}

const user = `user ${process.getuid?.() ?? 'of this process'}`
const another = 'or set VEDETTE_DATA_DIR to another folder.'

const forbidden: Fault = {
  what: (path) => `${user} may not use ${path}`,
  advice: `Give the folder and all it holds to that user, ${another}`,
}
const noFolder: Fault = {
  what: (path) => `${path} is no folder, or a file is above it`,
  advice: 'Set VEDETTE_DATA_DIR to a folder.',
}
const full: Fault = { what: () => 'its disk is full', advice: `Make room there, ${another}` }

/** What the file system may refuse, by its code. */
const faults: Readonly<Record<string, Fault>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EEXIST: noFolder,
  ENOTDIR: noFolder,
  ENOENT: { what: (path) => `${path} cannot be made`, advice: 'Set VEDETTE_DATA_DIR to another folder.' },
  EROFS: { what: () => 'its file system is read-only', advice: `Mount it for writing, ${another}` },
  ENOSPC: full,
  EDQUOT: full,
  EIO: { what: () => 'its disk has a fault', advice: `See what the system says of the disk, ${another}` },
}
