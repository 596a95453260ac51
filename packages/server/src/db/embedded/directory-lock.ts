import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefused } from '../start-refused.ts'
import { ownIdentity, startOfProcess, type ProcessIdentity } from './process-identity.ts'

const fileName = 'vedette.lock'

interface LockOptions {
  /** How often the holder shows that it lives. Only a holder in another container is judged by it. */
  beatMs?: number
  /** Who locks; for tests. */
  identity?: ProcessIdentity
}

/** The right to open a data directory. Two programs in one directory would destroy each other's rows silently. */
export interface DirectoryLock {
  release(): Promise<void>
}

interface Held extends ProcessIdentity {
  token: string
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

async function readHeld(file: string): Promise<{ text: string; held: Held | undefined } | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    return { text, held: JSON.parse(text) as Held }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { text, held: undefined }
  }
}

/** The file appears with its content or not at all: a name of its own is written first, then linked. */
async function create(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function modifiedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A holder whose pid means nothing here is alive when it touches its file within a few beats. */
async function beats(file: string, beatMs: number): Promise<boolean> {
  const first = await modifiedAt(file)
  for (let i = 0; i < 8; i += 1) {
    await sleep(beatMs / 2)
    if ((await modifiedAt(file)) !== first) return true
  }
  return false
}

async function isAlive(held: Held, self: ProcessIdentity, watch: () => Promise<boolean>): Promise<boolean> {
  const sameMachine = held.host === self.host
  if (sameMachine && held.boot !== self.boot) return false
  if (sameMachine && held.pids === self.pids) return (await startOfProcess(held.pid)) === held.started
  return watch()
}

/** Removes a dead holder's file. Renaming it first lets exactly one of several starters do it. */
async function clear(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  // Somebody took over between our look and the rename: that lock is good, so it goes back.
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file)
  await rm(aside, { force: true })
}

function refusal(dataDir: string, { pid, host }: Held, self: ProcessIdentity): StartRefused {
  const where = host === self.host ? `process ${pid}` : `process ${pid} on ${host}`
  return new StartRefused(
    `The data directory ${dataDir} is in use by another Vedette (${where}). ` +
      'Stop that one first, or set VEDETTE_DATA_DIR to another directory.',
  )
}

async function acquire(dataDir: string, text: string, self: ProcessIdentity, beatMs: number): Promise<void> {
  const file = join(dataDir, fileName)
  for (;;) {
    if (await create(file, text)) return
    const current = await readHeld(file)
    if (!current) continue
    if (current.held && (await isAlive(current.held, self, () => beats(file, beatMs)))) {
      throw refusal(dataDir, current.held, self)
    }
    await clear(file, current.text)
  }
}

/** Takes the lock of a data directory, from a dead holder if need be. Throws `StartRefused` naming a living holder. */
export async function lockDirectory(dataDir: string, options: LockOptions = {}): Promise<DirectoryLock> {
  const { beatMs = 2000, identity = await ownIdentity() } = options
  const file = join(dataDir, fileName)
  const text = JSON.stringify({ ...identity, token: randomUUID() } satisfies Held)
  await acquire(dataDir, text, identity, beatMs)
  const touch = async () => {
    const now = new Date()
    try {
      await utimes(file, now, now)
    } catch (error) {
      // Gone with its directory (a test, an uninstall): there is nothing left to guard.
      if (!isCode(error, 'ENOENT')) throw error
    }
  }
  const beat = setInterval(() => void touch(), beatMs)
  beat.unref()
  return {
    async release() {
      clearInterval(beat)
      if ((await readHeld(file))?.text === text) await rm(file, { force: true })
    },
  }
}
