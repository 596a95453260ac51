import { createHash } from 'node:crypto'
import type { Role } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
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
