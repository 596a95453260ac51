import { createHash } from 'node:crypto'
import { systemClock, type Clock, type Role } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'

export const sessionCookie = 'vedette_session'

/** What is stored of a key or session token: enough to recognise it, nothing to use. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The token of `Authorization: Bearer …`, undefined when there is none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer +(\S{1,500}) *$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

interface KnownKey {
  id: string
  accountId: string
  role: Role
}

interface KnownSession {
  userId: string
  accountId: string
  /** Every account the user belongs to, with the role there. */
  memberships: ReadonlyMap<string, Role>
}

const cacheMs = 5_000
const cacheSize = 10_000

/** Look-ups of keys and sessions with a cache of at most five seconds. `forget` empties it at once. */
export interface Authenticator {
  key(rawKey: string): Promise<KnownKey | undefined>
  session(token: string): Promise<KnownSession | undefined>
  /** True when the key was good at its last look-up: such callers are never throttled for the failures of others. */
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
      const found = keys.get(name) ?? kept(keys, name, await findKey(db, hash))
      if (found) good.set(name, true)
      else good.delete(name)
      return found
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
  // Setting undefined deletes.
  cache.set(name, value)
  return value
}

async function findKey(db: Database, hash: Buffer): Promise<KnownKey | undefined> {
  const { rows } = await db.pool.query<{ id: string; account_id: string; role: Role }>(
    'SELECT id, account_id, role FROM api_keys WHERE hash = $1 AND revoked_at IS NULL',
    [hash],
  )
  const row = rows[0]
  return row && { id: row.id, accountId: row.account_id, role: row.role }
}

async function findSession(db: Database, hash: Buffer, nowMs: number): Promise<KnownSession | undefined> {
  const { rows } = await db.pool.query<{ user_id: string; account_id: string; member_of: string; role: Role }>(
    `SELECT s.user_id, s.account_id, m.account_id AS member_of, m.role
     FROM web_sessions s JOIN memberships m ON m.user_id = s.user_id
     WHERE s.hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`,
    [hash, new Date(nowMs)],
  )
  const row = rows[0]
  if (!row) return undefined
  return {
    userId: row.user_id,
    accountId: row.account_id,
    memberships: new Map(rows.map((each) => [each.member_of, each.role])),
  }
}

/** The account whose admins operate the installation: the one named at the first start, else the oldest. */
export async function operatorAccount(db: Database): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ id: string }>(
    `SELECT coalesce(
       (SELECT value #>> '{}' FROM installation WHERE key = 'operator_account'),
       (SELECT id::text FROM accounts ORDER BY created_at, id LIMIT 1)) AS id`,
  )
  return rows[0]?.id ?? undefined
}
