import { PGlite } from '@electric-sql/pglite'
import { SyncNodeFs } from './sync-node-fs.ts'

/** PostgreSQL in this thread: raw protocol in, raw protocol out. */
export interface Engine {
  /** Executes whole messages and answers everything they caused. Throws when a write could not be made durable. */
  execute(bytes: Uint8Array): Promise<Uint8Array>
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}

// PGlite starts with -F (no fsync) and its fdatasync does nothing: both must go for a commit to reach the disk.
const durable = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']
const small = ['-c', 'shared_buffers=16MB']

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
  if (files.failure) throw files.failure
  if (files.syncs === before)
    throw new Error('a commit was not followed by an fsync, so it would be lost with the power')
}

/** Opens (and if need be initialises) the cluster in `directory`, and refuses when its commits are not fsynced. */
export async function openDirectory(directory: string): Promise<Engine> {
  const files = new SyncNodeFs(directory)
  const pg = await PGlite.create({ fs: files, startParams: [...durable, ...small] })
  await checkThatCommitsSync(pg, files)
  return {
    async execute(bytes) {
      const answer = await answerOf(pg, bytes)
      if (files.failure) throw files.failure
      return answer
    },
    dump: () => dumpOf(pg),
    close: () => pg.close(),
  }
}

/** A cluster that is gone with the process; for tests. */
export async function openMemory(seed: Uint8Array | undefined): Promise<Engine> {
  const loadDataDir = seed && new Blob([new Uint8Array(seed)])
  const pg = await PGlite.create('memory://', { loadDataDir, startParams: [...PGlite.defaultStartParams, ...small] })
  return { execute: (bytes) => answerOf(pg, bytes), dump: () => dumpOf(pg), close: () => pg.close() }
}

async function dumpOf(pg: PGlite): Promise<Uint8Array> {
  return new Uint8Array(await (await pg.dumpDataDir('none')).arrayBuffer())
}
