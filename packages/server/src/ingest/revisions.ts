import type { CheckTypeName, RetryStrategy } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../db/database.ts'
import { retryStrategyOf } from './retry.ts'
import { readRevisions, type RevisionKey } from './store.ts'

/** What ingest needs of a revision. Immutable, so it is read once. */
export interface RevisionFacts {
  accountId: string
  type: CheckTypeName
  strategy: RetryStrategy | undefined
  /** The check's own locations; empty means the default locations of its account. */
  locations: readonly string[]
  parallel: boolean
}

const keyOf = ({ checkId, revision }: RevisionKey): string => `${checkId}/${revision}`

/** Revisions read so far; those used longest ago are forgotten first. */
export function createRevisions(db: Queryable) {
  const known = new LRUCache<string, RevisionFacts>({ max: 50_000 })
  return {
    get: (key: RevisionKey): RevisionFacts | undefined => known.get(keyOf(key)),
    /** Reads the revisions that are not known yet. One that does not exist stays unknown. */
    async load(keys: readonly RevisionKey[]): Promise<void> {
      // `get` and not `has`: a known revision of this batch must not make room for a new one of it.
      const missing = new Map(keys.filter((key) => !known.get(keyOf(key))).map((key) => [keyOf(key), key]))
      if (missing.size === 0) return
      for (const row of await readRevisions(db, [...missing.values()])) {
        known.set(keyOf({ checkId: row.check_id, revision: row.revision }), factsOf(row))
      }
    },
  }
}
export type Revisions = ReturnType<typeof createRevisions>

function factsOf(row: Awaited<ReturnType<typeof readRevisions>>[number]): RevisionFacts {
  return {
    accountId: row.account_id,
    type: row.type,
    strategy: retryStrategyOf({ retryStrategy: row.retry_strategy, doubleCheck: row.double_check }),
    locations: [...(row.locations ?? []), ...(row.private_locations ?? [])],
    parallel: row.run_parallel === true,
  }
}
