import { roles, type Role } from '@vedette/wire'
import { operatorAccountSql } from '../db/operator-store.ts'
import type { Database, Queryable } from '../db/database.ts'
import type { ApiKeysRow, MembershipsRow, WebSessionsRow } from '../db/rows.ts'

export interface KnownKey {
  id: string
  accountId: string
  role: Role
  /** Epoch milliseconds after which it is worth nothing; null for never. */
  expiresAt: number | null
  isSuspended: boolean
}

/** What a user may do in an account. */
export interface KnownMembership {
  role: Role
  isSuspended: boolean
}

export interface KnownSession {
  userId: string
  accountId: string
  /** Every account the user belongs to, with the role there. */
  memberships: ReadonlyMap<string, KnownMembership>
}

type KeyRow = Pick<ApiKeysRow, 'id' | 'account_id' | 'expires_at'> & {
  role: Role
  /** The role of the member whose key it is; null for a key of the account. */
  member_role: Role | null
  is_suspended: boolean
}

/** One row per account of the user. */
type SessionRow = Pick<WebSessionsRow, 'user_id' | 'account_id'> & {
  member_of: MembershipsRow['account_id']
  role: Role
  is_suspended: boolean
}

/** Uses closer together than this are noted once. */
const useNotedEverySeconds = 60

/** Finds a valid key and notes that it is used. The key of a member may do what the member may, at most. */
export async function findKey(db: Database, hash: Buffer, nowMs: number): Promise<KnownKey | undefined> {
  const { rows } = await db.pool.query<KeyRow>(
    `WITH found AS (
       SELECT k.id, k.account_id, k.role, k.expires_at, m.role AS member_role, a.suspended_at IS NOT NULL AS is_suspended
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
         LEFT JOIN memberships m ON m.account_id = k.account_id AND m.user_id = k.user_id
       WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
         AND (k.user_id IS NULL OR m.user_id IS NOT NULL)),
     noted AS (
       INSERT INTO api_key_uses (key_id, last_used_at) SELECT id, $2 FROM found WHERE NOT EXISTS (
         SELECT FROM api_key_uses u WHERE u.key_id = found.id AND u.last_used_at > $2 - $3 * interval '1 second')
       ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at)
     SELECT * FROM found`,
    [hash, new Date(nowMs), useNotedEverySeconds],
  )
  const row = rows[0]
  return (
    row && {
      id: row.id,
      accountId: row.account_id,
      role: weakest(row.role, row.member_role ?? row.role),
      expiresAt: row.expires_at?.getTime() ?? null,
      isSuspended: row.is_suspended,
    }
  )
}

const weakest = (a: Role, b: Role): Role => (roles.indexOf(a) < roles.indexOf(b) ? a : b)

export async function findSession(db: Database, hash: Buffer, nowMs: number): Promise<KnownSession | undefined> {
  const { rows } = await db.pool.query<SessionRow>(
    `SELECT s.user_id, s.account_id, m.account_id AS member_of, m.role, a.suspended_at IS NOT NULL AS is_suspended
     FROM web_sessions s JOIN memberships m ON m.user_id = s.user_id JOIN accounts a ON a.id = m.account_id
     WHERE s.hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`,
    [hash, new Date(nowMs)],
  )
  const row = rows[0]
  if (!row) return undefined
  return {
    userId: row.user_id,
    accountId: row.account_id,
    memberships: new Map(rows.map((each) => [each.member_of, { role: each.role, isSuspended: each.is_suspended }])),
  }
}

/** The account whose admins operate the installation: the one named at the first start, else the oldest. */
export async function operatorAccount(db: Database): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ id: string | null }>(operatorAccountSql)
  return rows[0]?.id ?? undefined
}

/**
 * What people know the actor of a change by: the e-mail address of a person, the name of a key. Parts of the program have
 * only the one they act under.
 */
export async function nameOfActor(client: Queryable, actor: string): Promise<string> {
  const [kind, id] = actor.split(':')
  if (id === undefined || (kind !== 'user' && kind !== 'key')) return actor
  const { rows } = await client.query<{ name: string }>(
    kind === 'user' ? 'SELECT email AS name FROM users WHERE id = $1' : 'SELECT name FROM api_keys WHERE id = $1',
    [id],
  )
  return rows[0]?.name ?? actor
}
