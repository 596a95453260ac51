import type { Profile } from '@vedette/wire'
import type { Database, Queryable } from '../db/database.ts'
import { operatorAccountSql } from '../db/operator-store.ts'
import { hashSecret, mintToken } from '../access/secret-token.ts'
import type { MembershipsRow, SignInLinksRow, UsersRow } from '../db/rows.ts'

export interface SignedInUser extends Pick<UsersRow, 'email' | 'name'> {
  userId: UsersRow['id']
  accountId: MembershipsRow['account_id']
  passwordHash: UsersRow['password_hash']
}

type ProfileOfUser = Omit<Profile, 'accountId'>

export const sessionLifetimeMs = 30 * 24 * 3600_000
const linkLifetimeMs = 30 * 60_000

/** Sessions and sign-in links. Only hashes are stored, so a copied database cannot be used to sign in. */
export const signInStore = (db: Database) => ({ db, ...users(db), ...sessions(db), ...links(db) })
export type SignInStore = ReturnType<typeof signInStore>

const users = (db: Database) => ({
  async userByEmail(email: string): Promise<SignedInUser | undefined> {
    const { rows } = await db.pool.query<SignedInUser>(
      `SELECT u.id AS "userId", m.account_id AS "accountId", u.email, u.name, u.password_hash AS "passwordHash"
       FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
       WHERE lower(u.email) = lower($1)
       ORDER BY a.suspended_at IS NOT NULL, (SELECT max(s.created_at) FROM web_sessions s
         WHERE s.user_id = u.id AND s.account_id = m.account_id) DESC NULLS LAST, m.created_at, m.account_id LIMIT 1`,
      [email],
    )
    return rows[0]
  },

  async profile(userId: string, accountId: string): Promise<ProfileOfUser | undefined> {
    const { rows } = await db.pool.query<ProfileOfUser>(
      `SELECT u.email, u.name, a.name AS "accountName", m.role, u.password_hash IS NOT NULL AS "hasPassword",
         u.totp_since IS NOT NULL AS "hasTotp", m.owner AS "isOwner", a.suspended_at IS NOT NULL AS "isSuspended",
         a.id::text = (${operatorAccountSql}) AND m.role = 'admin' AS "isOperator",
         (SELECT json_agg(json_build_object('id', o.id, 'name', o.name) ORDER BY o.name, o.id)
          FROM memberships b JOIN accounts o ON o.id = b.account_id WHERE b.user_id = u.id) AS accounts
       FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
       WHERE u.id = $1 AND a.id = $2`,
      [userId, accountId],
    )
    return rows[0]
  },

  async passwordOf(userId: string): Promise<string | null> {
    const { rows } = await db.pool.query<Pick<UsersRow, 'password_hash'>>(
      'SELECT password_hash FROM users WHERE id = $1',
      [userId],
    )
    return rows[0]?.password_hash ?? null
  },

  /** Changes the password and ends every other session of the user. */
  async setPassword(
    client: Queryable,
    { userId, passwordHash, keep, at }: { userId: string; passwordHash: string; keep: string | undefined; at: Date },
  ): Promise<void> {
    await client.query(`UPDATE users SET password_hash = $2 WHERE id = $1`, [userId, passwordHash])
    await client.query(
      `UPDATE web_sessions SET revoked_at = $3 WHERE user_id = $1 AND revoked_at IS NULL AND hash <> $2`,
      [userId, keep === undefined ? Buffer.alloc(0) : hashSecret(keep), at],
    )
  },
})

const sessions = (db: Database) => ({
  async openSession(user: { userId: string; accountId: string }, now: number, userAgent: string | undefined) {
    const token = mintToken('vds_')
    await db.pool.query(
      `INSERT INTO web_sessions (hash, user_id, account_id, created_at, expires_at, user_agent) VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        token.hash,
        user.userId,
        user.accountId,
        new Date(now),
        new Date(now + sessionLifetimeMs),
        userAgent?.slice(0, 300),
      ],
    )
    return token.raw
  },

  /** False when the user does not belong to the account. */
  async switchAccount(raw: string, to: { userId: string; accountId: string }): Promise<boolean> {
    const { rowCount } = await db.pool.query(
      `UPDATE web_sessions s SET account_id = m.account_id FROM memberships m
       WHERE s.hash = $1 AND s.user_id = $2 AND m.user_id = $2 AND m.account_id = $3`,
      [hashSecret(raw), to.userId, to.accountId],
    )
    return rowCount === 1
  },

  async revokeSession(raw: string, now: number): Promise<void> {
    await db.pool.query(`UPDATE web_sessions SET revoked_at = $2 WHERE hash = $1 AND revoked_at IS NULL`, [
      hashSecret(raw),
      new Date(now),
    ])
  },
})

const links = (db: Database) => ({
  /** Creates a link that signs one user in once, within half an hour. */
  async mintLink(user: { userId: string; accountId: string }, now: number): Promise<string> {
    const token = mintToken('vdk_')
    await db.pool.query(
      `INSERT INTO sign_in_links (hash, user_id, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
      [token.hash, user.userId, user.accountId, new Date(now), new Date(now + linkLifetimeMs)],
    )
    return token.raw
  },

  async useLink(raw: string, now: number): Promise<{ userId: string; accountId: string } | undefined> {
    const { rows } = await db.pool.query<Pick<SignInLinksRow, 'user_id' | 'account_id'>>(
      `UPDATE sign_in_links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2
       RETURNING user_id, account_id`,
      [hashSecret(raw), new Date(now)],
    )
    return rows[0] && { userId: rows[0].user_id, accountId: rows[0].account_id }
  },
})
