import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Queryable } from './database.ts'

/** The words of pg for a statement whose answer did not arrive in time. */
const unanswered = 'Query read timeout'

/** True when the server did not answer in time: nothing is known of the statement, and its connection is dead. */
export const isUnanswered = (error: unknown): error is Error => error instanceof Error && error.message === unanswered

/**
 * When a connection of the pool went silent, the idle ones probably did too: they are closed, instead of letting one
 * caller after the other find out. pg itself closes the one whose statement was not answered.
 */
export function dropSilentConnections(pool: Pool): void {
  const idle = new Set<PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error: unknown, client) => {
    if (!error) idle.add(client)
    if (!isUnanswered(error)) return
    for (const each of idle) drop(each, error)
    idle.clear()
  })
}

/** The pool removes a connection at once that had an error; its farewell to the server would wait for an answer. */
function drop(client: PoolClient, error: Error): void {
  client.emit('error', error)
  client.connection.stream.destroy()
}

/** The same statements, whose answer is waited for as long as this and no longer. */
export const answeredWithin = (db: Queryable, limitMs: number): Queryable => ({
  query: ((statement: string | QueryConfig, values?: unknown[]) =>
    db.query({
      ...(typeof statement === 'string' ? { text: statement } : statement),
      ...(values && { values }),
      query_timeout: limitMs,
    } as QueryConfig)) as Queryable['query'],
})
