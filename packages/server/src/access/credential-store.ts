import type { Role } from '@vedette/wire'
import { operatorAccountSql } from '../db/operator-store.ts'
import type { Database, Queryable } from '../db/database.ts'
import type { ApiKeysRow, MembershipsRow, WebSessionsRow } from '../db/rows.ts'

export interface KnownKey {
  id: string
  accountId: string
  role: Role
}

export interface KnownSession {
  userId: string
  accountId: string
  /** Every account the user belongs to, with the role there. */
  memberships: ReadonlyMap<string, Role>
}

type KeyRow = Pick<ApiKeysRow, 'id' | 'account_id'> & { role: Role }

/** One row per account of the user. */
type SessionRow = Pick<WebSessionsRow, 'user_id' | 'account_id'> & {
  member_of: MembershipsRow['account_id']
  role: Role
}

export async function findKey(db: Database, hash: Buffer): Promise<KnownKey | undefined> {
  const { rows } = await db.pool.query<KeyRow>(
    'SELECT id, account_id, role FROM api_keys WHERE hash = $1 AND revoked_at IS NULL',
    [hash],
  )
  const row = rows[0]
  return row && { id: row.id, accountId: row.account_id, role: row.role }
}

export async function findSession(db: Database, hash: Buffer, nowMs: number): Promise<KnownSession | undefined> {
  const { rows } = await db.pool.query<SessionRow>(
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
