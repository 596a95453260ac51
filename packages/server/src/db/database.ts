import type { Pool, PoolClient } from 'pg'

/** A connection inside a transaction, or one borrowed from the pool. */
export type Queryable = Pick<PoolClient, 'query'>

/**
 * Access to the database, embedded or external. The embedded one has a single connection: inside `transaction` use only
 * the client that is passed, never the pool, or the call waits for itself until it times out.
 */
export interface Database {
  kind: 'embedded' | 'postgresql'
  pool: Pool
  /**
   * Runs `work` in BEGIN/COMMIT on one connection and rolls back when it throws. An error of the connection leaves open
   * whether it was committed. `limitMs` is for work whose statements may take longer than usual.
   */
  transaction<T>(work: (client: PoolClient) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Settles, with the reason, only when the embedded database has died: nothing can be stored until a restart. */
  failed: Promise<Error>
  close(): Promise<void>
  /** Undefined on the embedded database, which has one server. */
  peers?: Peers
}

/** Other servers that may use the same database. */
export interface Peers {
  /** Name of this server in the changes that it writes. */
  self: string
  /** Calls `onNotice` when a server announces a change, and when announcements may have been missed. */
  listen(onNotice: () => void): { stop(): Promise<void> }
}

export interface TransactionOptions {
  /** How long each statement may take. */
  limitMs?: number
}

/** Log for connection errors that belong to no query. */
export interface DatabaseLog {
  error(details: object, message: string): void
}
