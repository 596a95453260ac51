import type { ApiKey, Role } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { ApiKeysRow } from '../../db/rows.ts'

const columns = ['id', 'name', 'role', 'masked', 'created_at'] as const
const columnList = columns.join(', ')
type ApiKeyRow = Pick<ApiKeysRow, (typeof columns)[number]> & { role: Role }

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  maskedKey: row.masked,
  created_at: row.created_at.toISOString(),
})

/** Valid keys; revoked ones stay in the table for the audit log only. */
export async function listApiKeys(client: Queryable, account: string, page: { limit: number; offset: number }) {
  const { rows } = await client.query<ApiKeyRow>(
    `SELECT ${columnList} FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL
     ORDER BY created_at, id LIMIT $2 OFFSET $3`,
    [account, page.limit, page.offset],
  )
  const count = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL',
    [account],
  )
  return { keys: rows.map(toApiKey), total: count.rows[0]?.total ?? 0 }
}

export async function insertApiKey(
  client: Queryable,
  account: string,
  key: { id: string; name: string; role: Role; hash: Buffer; masked: string; at: Date },
): Promise<ApiKey> {
  await client.query(
    `INSERT INTO api_keys (id, account_id, name, role, hash, masked, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, account, key.name, key.role, key.hash, key.masked, key.at],
  )
  return toApiKey({ ...key, created_at: key.at })
}

/** Returns the revoked key; undefined when the account has no such valid key. */
export async function revokeApiKey(
  client: Queryable,
  account: string,
  id: string,
  at: Date,
): Promise<ApiKey | undefined> {
  const { rows } = await client.query<ApiKeyRow>(
    `UPDATE api_keys SET revoked_at = $3 WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING ${columnList}`,
    [account, id, at],
  )
  return rows[0] && toApiKey(rows[0])
}
