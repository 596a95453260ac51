import type { Role } from '@vedette/wire'
import { hashSecret } from '../access/secret-token.ts'
import type { Database, Queryable } from '../db/database.ts'
import type { InvitesRow } from '../db/rows.ts'

export interface PendingInvite extends Pick<InvitesRow, 'id' | 'email' | 'inviter'> {
  accountId: string
  accountName: string
  role: Role
  /** The person with this address, if they belong to an account. */
  userId: string | null
}

/** Invitations as those see them who hold a link. */
export const inviteStore = (db: Database) => ({
  async read(token: string, now: Date): Promise<PendingInvite | undefined> {
    const { rows } = await db.pool.query<PendingInvite>(
      `SELECT v.id, v.email, v.inviter, v.role, v.account_id AS "accountId", a.name AS "accountName",
         (SELECT u.id FROM users u WHERE lower(u.email) = lower(v.email)
            AND EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)) AS "userId"
       FROM invites v JOIN accounts a ON a.id = v.account_id
       WHERE v.hash = $1 AND v.expires_at > $2 AND a.suspended_at IS NULL`,
      [hashSecret(token), now],
    )
    return rows[0]
  },

  /** Of two who use it at once, one gets true. */
  async use(client: Queryable, id: string, now: Date): Promise<boolean> {
    const { rowCount } = await client.query('DELETE FROM invites WHERE id = $1 AND expires_at > $2', [id, now])
    return rowCount === 1
  },

  /**
   * Somebody new. An address that is known but belongs to no account any more begins anew, without what it signed in with
   * before. Returns the id; undefined when the person has joined an account since the link was opened.
   */
  async addUser(
    client: Queryable,
    user: { userId: string; email: string; name: string; passwordHash: string; at: Date },
  ): Promise<string | undefined> {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (lower(email)) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
         totp_secret = NULL, totp_since = NULL, totp_last_step = NULL
         WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)
       RETURNING id`,
      [user.userId, user.email, user.name, user.passwordHash, user.at],
    )
    const id = rows[0]?.id
    if (id === undefined || id === user.userId) return id
    await client.query('DELETE FROM recovery_codes WHERE user_id = $1', [id])
    await client.query('DELETE FROM identities WHERE user_id = $1', [id])
    await client.query('UPDATE web_sessions SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL', [
      id,
      user.at,
    ])
    return id
  },

  /** The first admin of an account without an owner becomes its owner. Answers whether that happened. */
  async addMember(
    client: Queryable,
    { accountId, userId, role, at }: { accountId: string; userId: string; role: Role; at: Date },
  ): Promise<boolean> {
    await client.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])
    const { rows } = await client.query<{ owner: boolean }>(
      `INSERT INTO memberships (account_id, user_id, role, owner, created_at, updated_at)
       SELECT $1, $2, $3, $3 = 'admin' AND NOT EXISTS (SELECT FROM memberships WHERE account_id = $1 AND owner), $4, $4
       ON CONFLICT (account_id, user_id) DO UPDATE SET updated_at = excluded.updated_at RETURNING owner`,
      [accountId, userId, role, at],
    )
    return rows[0]?.owner === true
  },
})
