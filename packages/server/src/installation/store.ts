import { randomUUID } from 'node:crypto'
import { defaultAlertSettings, locations } from '@vedette/wire'
import { hash } from '@node-rs/argon2'
import type { Database, Queryable } from '../db/database.ts'
import { hashSecret, maskToken, mintToken } from '../access/secret-token.ts'

export interface FirstAccount {
  accountId: string
  userId: string
  /** Present only when this start made it. */
  apiKey: string | undefined
  email: string
}

export interface BootstrapSettings {
  accountId?: string
  apiKey?: string
  email?: string
  password?: string
}

/** The location of checks without locations, until the account sets its own. */
const firstLocation = locations[6]

/** Creates the first account, user and admin key in an empty database; otherwise returns the existing ones. */
export async function ensureFirstAccount(db: Database, wanted: BootstrapSettings, now: Date): Promise<FirstAccount> {
  const passwordHash = wanted.password === undefined ? null : await hash(wanted.password)
  return db.transaction(async (client) => (await existing(client)) ?? create(client, wanted, { passwordHash, now }))
}

async function existing(client: Queryable): Promise<FirstAccount | undefined> {
  const { rows } = await client.query<FirstAccount>(
    `SELECT a.id AS "accountId", u.id AS "userId", u.email FROM accounts a JOIN memberships m ON m.account_id = a.id
     JOIN users u ON u.id = m.user_id ORDER BY a.created_at, m.owner DESC, (m.role = 'admin') DESC, u.created_at LIMIT 1`,
  )
  return rows[0] && { ...rows[0], apiKey: undefined }
}

async function create(client: Queryable, wanted: BootstrapSettings, made: { passwordHash: string | null; now: Date }) {
  const accountId = wanted.accountId ?? randomUUID()
  const userId = randomUUID()
  const email = wanted.email ?? 'admin@localhost'
  const apiKey = wanted.apiKey ?? mintToken('vdu_').raw
  await client.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, 'Main', $2, $3, $4)`,
    [accountId, JSON.stringify(defaultAlertSettings), [firstLocation], made.now],
  )
  await client.query(`INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)`, [
    userId,
    email,
    email.split('@')[0],
    made.passwordHash,
    made.now,
  ])
  await client.query(
    `INSERT INTO memberships (account_id, user_id, role, owner, created_at, updated_at) VALUES ($1, $2, 'admin', true, $3, $3)`,
    [accountId, userId, made.now],
  )
  await client.query(
    `INSERT INTO api_keys (id, account_id, name, role, hash, masked, created_at) VALUES ($1, $2, 'First key', 'admin', $3, $4, $5)`,
    [randomUUID(), accountId, hashSecret(apiKey), maskToken(apiKey), made.now],
  )
  return { accountId, userId, email, apiKey }
}
