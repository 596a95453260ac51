import type { PoolClient, QueryConfig } from 'pg'
import type { Database, Queryable } from '../src/db/database.ts'

/** A statement as it was sent. */
export interface SentStatement {
  /** Set where it is kept prepared. */
  name?: string
  text: string
  values: unknown[]
}

type Query = (asked: QueryConfig<unknown[]> | string, values?: unknown[]) => Promise<unknown>

/** The database, and the statements that are sent to it, with those that begin and commit its transactions. */
export function recordingStatements(db: Database): { db: Database; statements: SentStatement[] } {
  const statements: SentStatement[] = []
  const recorded = <T extends Queryable>(queryable: T): T => {
    const query: Query = (asked, values) => {
      const { name, text, values: own } = typeof asked === 'string' ? { text: asked, values } : { values, ...asked }
      statements.push({ ...(name !== undefined && { name }), text, values: own ?? [] })
      return queryable.query(asked, values)
    }
    return { query } as unknown as T
  }
  const transaction: Database['transaction'] = async (work, options) => {
    statements.push({ text: 'BEGIN', values: [] })
    const answer = await db.transaction((client) => work(recorded<PoolClient>(client)), options)
    statements.push({ text: 'COMMIT', values: [] })
    return answer
  }
  return { db: { ...db, pool: recorded(db.pool), transaction }, statements }
}
