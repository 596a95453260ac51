import type { Clock } from '@vedette/wire'
import type { PoolClient, QueryConfig } from 'pg'
import type { Database, Queryable } from '../src/db/database.ts'

const asked = 'clock_timestamp()'

/** A database whose clock is the given one: what SQL asks of `clock_timestamp()` is its time. */
export function databaseAtTimeOf(db: Database, clock: Pick<Clock, 'now'>): Database {
  const querying = (target: Queryable) =>
    ((query: string | QueryConfig, values?: unknown[]) => {
      const sent = timed(typeof query === 'string' ? { text: query, ...(values && { values }) } : query, clock)
      return Reflect.apply(target.query, target, [sent]) as unknown
    }) as unknown as Queryable['query']
  return {
    ...db,
    pool: { query: querying(db.pool) } as unknown as Database['pool'],
    transaction: (work, options) =>
      db.transaction((client) => work({ query: querying(client) } as unknown as PoolClient), options),
  }
}

/** The time is one more parameter, so that a prepared statement keeps its text; of several statements it is a literal. */
function timed(query: QueryConfig, clock: Pick<Clock, 'now'>): QueryConfig {
  const { text, values, name } = query
  if (!text.includes(asked)) return query
  const now = new Date(clock.now())
  if (values === undefined && name === undefined)
    return { ...query, text: text.replaceAll(asked, () => `'${now.toISOString()}'::timestamptz`) }
  const given = values ?? []
  return {
    ...query,
    text: text.replaceAll(asked, () => `$${given.length + 1}::timestamptz`),
    values: [...given, now],
    ...(name !== undefined && { name: `${name} at a given time` }),
  }
}
