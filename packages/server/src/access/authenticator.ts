import type { Database } from '../db/database.ts'
import { findKey, findSession, type KnownKey, type KnownSession } from './credential-store.ts'
import { hashSecret } from './secret-token.ts'

interface Cached<T> {
  value: T | undefined
  until: number
}

const cacheMs = 5_000
const cacheSize = 10_000

/** Look-ups of keys and sessions with a cache of at most five seconds. `forget` empties it at once. */
export interface Authenticator {
  key(rawKey: string, nowMs: number): Promise<KnownKey | undefined>
  session(token: string, nowMs: number): Promise<KnownSession | undefined>
  /** True when the key was good at its last look-up: such callers are never throttled for the failures of others. */
  wasGood(rawKey: string): boolean
  forget(): void
}

export function authenticator(db: Database): Authenticator {
  const keys = new Map<string, Cached<KnownKey>>()
  const sessions = new Map<string, Cached<KnownSession>>()
  const good = new Set<string>()
  return {
    async key(rawKey, nowMs) {
      const hash = hashSecret(rawKey)
      const found = await cached(keys, { name: hash.toString('base64'), nowMs }, () => findKey(db, hash))
      if (found && good.size < cacheSize) good.add(hash.toString('base64'))
      if (!found) good.delete(hash.toString('base64'))
      return found
    },
    session(token, nowMs) {
      const hash = hashSecret(token)
      return cached(sessions, { name: hash.toString('base64'), nowMs }, () => findSession(db, hash, nowMs))
    },
    wasGood: (rawKey) => good.has(hashSecret(rawKey).toString('base64')),
    forget() {
      keys.clear()
      sessions.clear()
    },
  }
}

async function cached<T>(
  cache: Map<string, Cached<T>>,
  { name, nowMs }: { name: string; nowMs: number },
  load: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const hit = cache.get(name)
  if (hit && hit.until > nowMs) return hit.value
  const value = await load()
  if (cache.size >= cacheSize) cache.clear()
  if (value) cache.set(name, { value, until: nowMs + cacheMs })
  else cache.delete(name)
  return value
}
