import type { Pool, PoolClient } from 'pg'
import type { Clock } from '@vedette/wire'
import type { Database } from '../../../src/db/database.ts'

/** Faults of the database that all its clients see. */
export interface DatabaseFaults {
  /** Nothing is stored, as on a full disk. Reading goes on. */
  refusesCommits: boolean
  /** Nothing is answered. */
  isSilent: boolean
}

const diskFull = () =>
  Object.assign(new Error('could not extend file "base/1/1": No space left on device'), { code: '53100' })

const writes = /^\s*(?:INSERT|UPDATE|DELETE|WITH[\s\S]*\b(?:INSERT|UPDATE|DELETE)\b)/i

/** A database that refuses to store while the faults say so. */
export function fallibleDatabase(db: Database, faults: DatabaseFaults): Database {
  const query = ((...args: unknown[]) => {
    const [sent] = args
    const text = typeof sent === 'string' ? sent : (sent as { text: string }).text
    if (faults.refusesCommits && writes.test(text)) return Promise.reject(diskFull())
    const answer: unknown = Reflect.apply(Reflect.get(db.pool, 'query') as () => unknown, db.pool, args)
    return answer as Promise<unknown>
  }) as unknown as Pool['query']
  return {
    ...db,
    pool: { query } as unknown as Pool,
    transaction: (work, options) =>
      db.transaction(async (client: PoolClient) => {
        const answer = await work(client)
        if (faults.refusesCommits) throw diskFull()
        return answer
      }, options),
  }
}

/** After this time a statement without an answer is given up, as `db/silence.ts` has it. */
const givenUpMs = 12_000

/** A database that does not answer while the faults say so. What has begun before is answered. */
export function silenceableDatabase(db: Database, clock: Clock, faults: DatabaseFaults): Database {
  const unanswered = (limitMs = givenUpMs) =>
    new Promise<never>((_, reject) => clock.after(limitMs, () => reject(new Error('Query read timeout'))))
  const query = ((...args: unknown[]) => {
    if (faults.isSilent) return unanswered((args[0] as { query_timeout?: number }).query_timeout)
    return Reflect.apply(Reflect.get(db.pool, 'query') as () => unknown, db.pool, args)
  }) as unknown as Pool['query']
  return {
    ...db,
    pool: { query } as unknown as Pool,
    transaction: (work, options) => (faults.isSilent ? unanswered() : db.transaction(work, options)),
  }
}
