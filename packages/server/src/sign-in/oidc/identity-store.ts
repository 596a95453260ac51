import type { Role } from '@vedette/wire'
import { operatorAccountSql } from '../../db/operator-store.ts'
import type { Database, Queryable } from '../../db/database.ts'
import type { Identity } from './provider.ts'

/** Somebody who can sign in, with the account they come to. */
export interface KnownPerson {
  userId: string
  accountId: string
  /** They have a password or a second factor of their own. */
  isGuarded: boolean
}

/** SQL: a person with the account they used last. */
const person = `SELECT u.id AS "userId", m.account_id AS "accountId",
    u.password_hash IS NOT NULL OR u.totp_since IS NOT NULL AS "isGuarded"
  FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id`
const lastUsed = `ORDER BY a.suspended_at IS NOT NULL, (SELECT max(s.created_at) FROM web_sessions s
  WHERE s.user_id = u.id AND s.account_id = m.account_id) DESC NULLS LAST, m.created_at, m.account_id LIMIT 1`

/** How the provider knows people. */
export const identityStore = (db: Database) => ({
  async byIdentity({ issuer, subject }: Identity): Promise<KnownPerson | undefined> {
    const { rows } = await db.pool.query<KnownPerson>(
      `${person} JOIN identities i ON i.user_id = u.id WHERE i.issuer = $1 AND i.subject = $2 ${lastUsed}`,
      [issuer, subject],
    )
    return rows[0]
  },

  async byEmail(email: string): Promise<KnownPerson | undefined> {
    const { rows } = await db.pool.query<KnownPerson>(`${person} WHERE lower(u.email) = lower($1) ${lastUsed}`, [email])
    return rows[0]
  },

  async emailOf(userId: string): Promise<string | undefined> {
    const { rows } = await db.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    return rows[0]?.email
  },

  /** From now on this identity is this person, whoever it was before. */
  async connect(client: Queryable, { issuer, subject }: Identity, userId: string, at: Date): Promise<void> {
    await client.query(
      `INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (issuer, subject) DO UPDATE SET user_id = excluded.user_id, created_at = excluded.created_at`,
      [issuer, subject, userId, at],
    )
  },

  /** The account that new people join; undefined when it is suspended or not there. */
  async accountForNew(wanted: string | undefined): Promise<string | undefined> {
    const { rows } = await db.pool.query<{ id: string }>(
      `SELECT id FROM accounts WHERE id::text = coalesce($1, (${operatorAccountSql})) AND suspended_at IS NULL`,
      [wanted ?? null],
    )
    return rows[0]?.id
  },

  /** Somebody new with this address, or an address that belongs to no account any more. Returns the id. */
  async addMember(
    client: Queryable,
    who: { userId: string; email: string; name: string; accountId: string; role: Role; at: Date },
  ): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lower(email)) DO UPDATE SET name = excluded.name, password_hash = NULL, totp_secret = NULL,
         totp_since = NULL, totp_last_step = NULL RETURNING id`,
      [who.userId, who.email, who.name, who.at],
    )
    const userId = rows[0]?.id ?? who.userId
    await client.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId])
    await client.query(
      `INSERT INTO memberships (account_id, user_id, role, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)`,
      [who.accountId, userId, who.role, who.at],
    )
    return userId
  },
})
