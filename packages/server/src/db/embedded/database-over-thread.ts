import pg from 'pg'
import type { Database, DatabaseLog } from '../database.ts'
import { columnTypes, databaseOverPool } from '../pool.ts'
import { WorkerStream } from './worker-stream.ts'
import type { WorkerThread } from './worker-thread.ts'

const waitForConnectionMs = 30_000

interface Options {
  release: () => Promise<void>
  log?: DatabaseLog | undefined
}

/** A pool of one pg connection whose "socket" is the worker thread. */
export function databaseOverThread(thread: WorkerThread, { release, log }: Options): Database {
  let sessions = 0
  let current: WorkerStream | undefined
  let dead: Error | undefined
  let closing = false
  const open = () => {
    sessions += 1
    current = new WorkerStream(thread, sessions, dead)
    return current
  }
  thread.onAnswer((session, bytes) => {
    if (session === sessions) current?.receive(bytes)
  })
  const failed = (async () => {
    const reason = await thread.failed
    // A thread that was stopped on purpose has not failed.
    if (closing) return new Promise<never>(() => undefined)
    dead = new Error(`The embedded database has stopped: ${reason.message}`, { cause: reason })
    current?.destroy(dead)
    return dead
  })()
  const pool = new pg.Pool({
    stream: open,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: waitForConnectionMs,
    types: columnTypes,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
  })
  const owner = {
    kind: 'embedded' as const,
    failed,
    async release() {
      closing = true
      await thread.close()
      await release()
    },
  }
  return databaseOverPool(pool, owner, log)
}
