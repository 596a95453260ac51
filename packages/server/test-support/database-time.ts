import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database, Queryable } from '../src/db/database.ts'

/** A prepared statement keeps its text, so one that names the time is not prepared. */
const unprepared = (query: { text: string; name?: string }, text: string) =>
  text === query.text ? query : { ...query, text, name: undefined }

/** A database whose clock is the given one: what SQL asks of `clock_timestamp()` is its time. */
export function databaseAtTimeOf(db: Database, clock: Pick<Clock, 'now'>): Database {
  const timed = (text: string) =>
    text.replaceAll('clock_timestamp()', () => `'${new Date(clock.now()).toISOString()}'::timestamptz`)
  const querying = (target: Queryable) =>
    ((query: string | { text: string }, ...more: unknown[]) =>
      Reflect.apply(target.query, target, [
        typeof query === 'string' ? timed(query) : unprepared(query, timed(query.text)),
        ...more,
      ]) as unknown) as unknown as Queryable['query']
  return {
    ...db,
    pool: { query: querying(db.pool) } as unknown as Database['pool'],
    transaction: (work, options) =>
      db.transaction((client) => work({ query: querying(client) } as unknown as PoolClient), options),
  }
}
