import type { Database } from '../src/db/database.ts'
import { letPromisesRun } from './clock.ts'

/** Counts database work in progress, so that a test clock moves on only when all of it has ended. */
export function countDatabaseWork() {
  let underWay = 0
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    underWay++
    try {
      return await work
    } finally {
      underWay--
    }
  }
  return {
    counting: (db: Database): Database => ({
      ...db,
      pool: { query: (text: string, values?: unknown[]) => counted(db.pool.query(text, values)) } as Database['pool'],
      transaction: (work) => counted(db.transaction(work)),
    }),
    settle: async (): Promise<void> => {
      do await letPromisesRun()
      while (underWay > 0)
    },
  }
}
