/** What the worker of the embedded database is told at its start. */
export interface WorkerSettings {
  /** Directory of the cluster, or undefined to keep everything in memory (tests only). */
  directory: string | undefined
  /** A tar of an initialised cluster to load instead of initialising, for memory only. */
  seed: Uint8Array | undefined
  /** Initialise the directory and leave, instead of serving it. */
  initialiseOnly: boolean
}

/** One batch of wire protocol messages of one session. `reset` starts a session: whatever the last one left is undone. */
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
