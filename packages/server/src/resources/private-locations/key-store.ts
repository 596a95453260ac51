import type { PrivateLocationId, PrivateLocationKey } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AgentKeysRow } from '../../db/rows.ts'

type KeyRow = Pick<AgentKeysRow, 'id' | 'location' | 'masked' | 'created_at'>

/** A valid key of a private location. */
export interface LocationKey extends PrivateLocationKey {
  /** `pl_` and the UUID of its location. */
  location: string
}

const toKey = ({ id, location, masked, created_at }: KeyRow): LocationKey => ({
  id,
  location,
  maskedKey: masked,
  created_at: created_at.toISOString(),
  updated_at: null,
})

/** The valid keys of these locations, the oldest first. */
export async function readLocationKeys(
  client: Queryable,
  account: string,
  locations: readonly PrivateLocationId[],
): Promise<LocationKey[]> {
  if (locations.length === 0) return []
  const { rows } = await client.query<KeyRow>(
    `SELECT id, location, masked, created_at FROM agent_keys
     WHERE location = ANY($2::text[]) AND kind = 'private' AND account_id = $1 AND revoked_at IS NULL
     ORDER BY created_at, id`,
    [account, locations],
  )
  return rows.map(toKey)
}

export async function insertLocationKey(
  client: Queryable,
  account: string,
  key: { id: string; location: PrivateLocationId; hash: Buffer; masked: string; at: Date },
): Promise<LocationKey> {
  await client.query(
    `INSERT INTO agent_keys (id, kind, account_id, location, hash, masked, created_at)
     VALUES ($1, 'private', $2, $3, $4, $5, $6)`,
    [key.id, account, key.location, key.hash, key.masked, key.at],
  )
  return toKey({ ...key, created_at: key.at })
}

/** The revoked key; undefined when the location has no such valid key. */
export async function revokeLocationKey(
  client: Queryable,
  account: string,
  { id, location, at }: { id: string; location: PrivateLocationId; at: Date },
): Promise<LocationKey | undefined> {
  const { rows } = await client.query<KeyRow>(
    `UPDATE agent_keys SET revoked_at = $4
     WHERE id = $2 AND kind = 'private' AND account_id = $1 AND location = $3 AND revoked_at IS NULL
     RETURNING id, location, masked, created_at`,
    [account, id, location, at],
  )
  return rows[0] && toKey(rows[0])
}
