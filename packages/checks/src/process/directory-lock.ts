import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownIdentity, startOfProcess, type ProcessIdentity } from './process-identity.ts'

export { makeDirectory } from './make-directory.ts'
export { onStopSignals } from './stop-signals.ts'
export { startOfProcess }

const lockName = /^vedette-.+\.lock$/
const patience = { rounds: 10, pauseMs: 50 }

interface LockOptions {
  /** Milliseconds between updates of the holder's file. Only a holder in another container is judged by them. */
  beatMs?: number
  /** Who locks; for tests. */
  identity?: ProcessIdentity
}

/** Another living process uses the directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse'
  /** Who that is: `process 17`, or `process 17 on host` when it is on another machine. */
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`${directory} is in use by another Vedette (${holder})`)
    this.holder = holder
  }
}

/** The right to use a directory alone. Two programs in one directory would destroy each other's data silently. */
export interface DirectoryLock {
  release(): Promise<void>
}

/** What is known of another claim. `identity` is missing while its file is not completely written. */
interface Other {
  name: string
  identity: ProcessIdentity | undefined
}

interface Claim {
  directory: string
  name: string
  self: ProcessIdentity
  beatMs: number
}

async function unlessGone<T>(action: Promise<T>): Promise<T | undefined> {
  try {
    return await action
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function identityOf(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A holder whose pid cannot be looked up here is alive when it updates its file within a few intervals. */
async function beats(file: string, beatMs: number): Promise<boolean> {
  const modifiedAt = async () => (await unlessGone(stat(file)))?.mtimeMs
  const first = await modifiedAt()
  for (let i = 0; i < 8; i += 1) {
    await sleep(beatMs / 2)
    const now = await modifiedAt()
    if (now !== first) return now !== undefined
  }
  return false
}

async function isAlive({ name, identity }: Other, { directory, self, beatMs }: Claim): Promise<boolean> {
  if (!identity) return true
  const sameMachine = identity.host === self.host
  if (sameMachine && identity.boot !== self.boot) return false
  if (sameMachine && identity.pids === self.pids) return (await startOfProcess(identity.pid)) === identity.started
  return beats(join(directory, name), beatMs)
}

async function livingOthers(claim: Claim, names: readonly string[]): Promise<Other[]> {
  const living: Other[] = []
  for (const name of names) {
    const file = join(claim.directory, name)
    const text = await unlessGone(readFile(file, 'utf8'))
    if (text === undefined) continue
    const other = { name, identity: identityOf(text) }
    if (await isAlive(other, claim)) living.push(other)
    // Names of claims are never reused, so this is the file of the dead process.
    else await rm(file, { force: true })
  }
  return living
}

const holderOf = ({ identity }: Other, self: ProcessIdentity): string =>
  identity?.host === self.host ? `process ${identity.pid}` : `process ${identity?.pid} on ${identity?.host}`

/**
 * Every process writes a file of its own and then looks for others. Of two, the later one sees the earlier, so at most
 * one sees none. Of several that start together, all but the first by name give up, and the first waits for that.
 */
async function acquire(claim: Claim): Promise<void> {
  const { directory, name, self } = claim
  const file = join(directory, name)
  await writeFile(file, JSON.stringify(self), { mode: 0o600 })
  for (let round = 0; ; round += 1) {
    const names = (await readdir(directory)).filter((entry) => lockName.test(entry))
    if (!names.includes(name)) await writeFile(file, JSON.stringify(self), { mode: 0o600 })
    const others = await livingOthers(
      claim,
      names.filter((entry) => entry !== name),
    )
    if (others.length === 0 && names.includes(name)) return
    const named = others.filter(({ identity }) => identity)
    const first = named.find((other) => other.name < name) ?? (round >= patience.rounds ? named[0] : undefined)
    if (first) {
      await rm(file, { force: true })
      throw new DirectoryInUse(directory, holderOf(first, self))
    }
    if (round >= patience.rounds) for (const other of others) await rm(join(directory, other.name), { force: true })
    await sleep(patience.pauseMs)
  }
}

async function touch(file: string, now: Date): Promise<void> {
  // A failed update is ignored: the directory is gone, or its disk has a problem that the holder will notice.
  await utimes(file, now, now).catch(() => undefined)
}

/**
 * Takes a directory for this process, from a dead holder if need be. Throws `DirectoryInUse` naming a living holder.
 */
export async function lockDirectory(directory: string, options: LockOptions = {}): Promise<DirectoryLock> {
  const { beatMs = 2000, identity = await ownIdentity() } = options
  const name = `vedette-${randomUUID()}.lock`
  const file = join(directory, name)
  await acquire({ directory, name, self: identity, beatMs })
  const beat = setInterval(() => void touch(file, new Date()), beatMs)
  beat.unref()
  return {
    async release() {
      clearInterval(beat)
      await rm(file, { force: true })
    },
  }
}
