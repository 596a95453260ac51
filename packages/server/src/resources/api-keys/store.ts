import type { ApiKey, Role } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { ApiKeysRow } from '../../db/rows.ts'

const columns = ['id', 'name', 'role', 'masked', 'created_at', 'expires_at', 'user_id'] as const
type ApiKeyRow = Pick<ApiKeysRow, (typeof columns)[number]> & {
  role: Role
  last_used_at: Date | null
  email: string | null
}

/** SQL over `k` (api_keys). */
const columnList = `${columns.map((column) => `k.${column}`).join(', ')},
  (SELECT last_used_at FROM api_key_uses WHERE key_id = k.id) AS last_used_at,
  (SELECT email FROM users WHERE users.id = k.user_id) AS email`

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  maskedKey: row.masked,
  created_at: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  userId: row.user_id,
  userEmail: row.email,
})

/** Valid keys; revoked ones stay in the table for the audit log only. */
export async function listApiKeys(client: Queryable, account: string, page: { limit: number; offset: number }) {
  const { rows } = await client.query<ApiKeyRow>(
    `SELECT ${columnList} FROM api_keys k WHERE k.account_id = $1 AND k.revoked_at IS NULL
     ORDER BY k.created_at, k.id LIMIT $2 OFFSET $3`,
    [account, page.limit, page.offset],
  )
  const count = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL',
    [account],
  )
  return { keys: rows.map(toApiKey), total: count.rows[0]?.total ?? 0 }
}

interface NewApiKey {
  id: string
  name: string
  role: Role
  hash: Buffer
  masked: string
  at: Date
  expiresAt: Date | null
  userId: string | null
}

export async function insertApiKey(client: Queryable, account: string, key: NewApiKey): Promise<ApiKey | undefined> {
  const { rows } = await client.query<ApiKeyRow>(
    `INSERT INTO api_keys AS k (id, account_id, name, role, hash, masked, created_at, expires_at, user_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columnList}`,
    [key.id, account, key.name, key.role, key.hash, key.masked, key.at, key.expiresAt, key.userId],
  )
  return rows[0] && toApiKey(rows[0])
}

/** Returns the revoked key; undefined when the account has no such valid key. */
export async function revokeApiKey(
  client: Queryable,
  account: string,
  id: string,
  at: Date,
): Promise<ApiKey | undefined> {
  const { rows } = await client.query<ApiKeyRow>(
    `UPDATE api_keys k SET revoked_at = $3 WHERE k.account_id = $1 AND k.id = $2 AND k.revoked_at IS NULL RETURNING ${columnList}`,
    [account, id, at],
  )
  return rows[0] && toApiKey(rows[0])
}
