import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { SyncNodeFs } from './sync-node-fs.ts'

/** PostgreSQL in this thread: raw protocol in, raw protocol out. */
export interface Engine {
  /** Executes whole messages and returns the answers to them. Throws when the engine died of them. */
  execute(bytes: Uint8Array): Promise<Uint8Array>
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}

// PGlite starts with -F (no fsync) and its fdatasync does nothing. Both are replaced, so that commits reach the disk.
const durable = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']
// Less memory, and less log kept for reuse than the gigabyte a server would keep.
const small = ['-c', 'shared_buffers=16MB', '-c', 'max_wal_size=128MB', '-c', 'min_wal_size=32MB']

interface DirectoryOptions {
  /** Called while the engine dies, in the middle of its work. The call in progress may never return. */
  onDeath?: (error: Error) => void
  /** For tests: other parameters, or a file system that fails or records. */
  startParams?: readonly string[]
  files?: SyncNodeFs
}

async function answerOf(pg: PGlite, bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  await pg.execProtocolRawStream(bytes, {
    syncToFs: false,
    onRawData: (part) => {
      parts.push(part.slice())
      length += part.length
    },
  })
  const answer = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    answer.set(part, at)
    at += part.length
  }
  return answer
}

async function checkThatCommitsSync(pg: PGlite, files: SyncNodeFs): Promise<void> {
  const before = files.syncs
  await pg.query("SELECT pg_logical_emit_message(true, 'vedette', 'fsync self-check')")
  if (files.syncs === before) {
    throw new Error('a commit was not followed by an fsync, so it would be lost with the power')
  }
}

/** Keeps the reason why PostgreSQL died: it prints one to its error output, then aborts with no reason. */
function deathReason(): { read: (line: string) => boolean; death: () => Error } {
  let reason = 'PostgreSQL ended without saying why'
  return {
    read(line) {
      const fatal = /(?:PANIC|FATAL): +(.*)/.exec(line)
      if (fatal?.[1]) reason = fatal[1]
      return false
    },
    death: () => new Error(reason),
  }
}

async function openChecked(options: PGliteOptions, files: SyncNodeFs): Promise<PGlite> {
  const pg = await PGlite.create(options)
  try {
    await checkThatCommitsSync(pg, files)
    return pg
  } catch (error) {
    await close(pg, files)
    throw error
  }
}

async function close(pg: PGlite, files: SyncNodeFs): Promise<void> {
  files.onEnd = () => {}
  await pg.close()
}

/** Opens the cluster in `directory`, initialising it if needed. Throws when commits are not fsynced. */
export async function openDirectory(directory: string, options: DirectoryOptions = {}): Promise<Engine> {
  const { startParams = durable, files = new SyncNodeFs(directory), onDeath } = options
  const reason = deathReason()
  let dead: Error | undefined
  files.onEnd = () => {
    dead ??= reason.death()
    onDeath?.(dead)
  }
  const settings = { fs: files, startParams: [...startParams, ...small], onStderr: reason.read }
  const pg = await openChecked(settings, files)
  return {
    async execute(bytes) {
      if (dead) throw dead
      const answer = await answerOf(pg, bytes)
      // It may have died while it computed this answer.
      if (dead) throw dead as Error
      return answer
    },
    dump: () => dumpOf(pg),
    close: () => close(pg, files),
  }
}

/** A cluster in memory, for tests. */
export async function openMemory(seed: Uint8Array | undefined): Promise<Engine> {
  const loadDataDir = seed && new Blob([new Uint8Array(seed)])
  const pg = await PGlite.create('memory://', { loadDataDir, startParams: [...PGlite.defaultStartParams, ...small] })
  return { execute: (bytes) => answerOf(pg, bytes), dump: () => dumpOf(pg), close: () => pg.close() }
}

async function dumpOf(pg: PGlite): Promise<Uint8Array> {
  return new Uint8Array(await (await pg.dumpDataDir('none')).arrayBuffer())
}
