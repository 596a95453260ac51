import { systemClock, type Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { findKey, findSession, type KnownKey, type KnownSession } from './credential-store.ts'
import { hashSecret } from './secret-token.ts'

const cacheMs = 5_000
const cacheSize = 10_000

/** Looks up keys and sessions, with a cache of at most five seconds. `forget` empties it at once. */
export interface Authenticator {
  key(rawKey: string): Promise<KnownKey | undefined>
  session(token: string): Promise<KnownSession | undefined>
  /** True when the key was valid at its last look-up: such callers are not throttled for failed attempts of others. */
  wasGood(rawKey: string): boolean
  forget(): void
}

export function authenticator(db: Database, clock: Clock = systemClock): Authenticator {
  const briefly = { max: cacheSize, ttl: cacheMs, ttlResolution: 0, perf: clock }
  const keys = new LRUCache<string, KnownKey>(briefly)
  const sessions = new LRUCache<string, KnownSession>(briefly)
  const good = new LRUCache<string, true>({ max: cacheSize })
  return {
    async key(rawKey) {
      const hash = hashSecret(rawKey)
      const name = hash.toString('base64')
      const found = keys.get(name) ?? kept(keys, name, await findKey(db, hash, clock.now()))
      const isOver = found !== undefined && found.expiresAt !== null && found.expiresAt <= clock.now()
      if (found && !isOver) good.set(name, true)
      else good.delete(name)
      return isOver ? undefined : found
    },
    async session(token) {
      const hash = hashSecret(token)
      const name = hash.toString('base64')
      return sessions.get(name) ?? kept(sessions, name, await findSession(db, hash, clock.now()))
    },
    wasGood: (rawKey) => good.has(hashSecret(rawKey).toString('base64')),
    forget() {
      keys.clear()
      sessions.clear()
    },
  }
}

function kept<T extends object>(cache: LRUCache<string, T>, name: string, value: T | undefined): T | undefined {
  // Setting undefined deletes the cookie.
  cache.set(name, value)
  return value
}
