/** Settings for the worker of the embedded database. */
export interface WorkerSettings {
  /** Directory of the cluster, or undefined to keep everything in memory (tests only). */
  directory: string | undefined
  /** A tar of an initialised cluster to load instead of initialising, in memory only. */
  seed: Uint8Array | undefined
}

/**
 * One batch of wire protocol messages of one session. `reset` starts a session: what the last one left open is undone.
 */
export interface ToWorker {
  session: number
  bytes?: Uint8Array
  reset?: boolean
  close?: boolean
  dump?: boolean
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'answer'; session: number; bytes: Uint8Array }
  | { kind: 'dump'; bytes: Uint8Array }
  | { kind: 'closed' }
  | { kind: 'failed'; message: string }

/** The wire protocol message that executes SQL text. */
export function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.alloc(5)
  head.write('Q')
  head.writeUInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}
