import type { LocationUse } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { PrivateLocationsRow } from '../../db/rows.ts'

const columns = ['id', 'slug', 'name', 'icon', 'secrets', 'version', 'created_at', 'updated_at'] as const
const columnList = columns.join(', ')

/** A private location as the database holds it: the address of its proxy is sealed in `secrets`. */
export interface LocationRow extends Pick<PrivateLocationsRow, (typeof columns)[number]> {
  secrets: { proxyUrl?: string }
}

/** In the order they were created. Without a limit all of them. */
export async function listLocations(
  client: Queryable,
  account: string,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<{ rows: LocationRow[]; total: number }> {
  const { rows } = await client.query<LocationRow>(
    `SELECT ${columnList} FROM private_locations WHERE account_id = $1 AND deleted_at IS NULL
     ORDER BY created_at, id LIMIT $2 OFFSET $3`,
    [account, limit, offset],
  )
  return { rows, total: await countLocations(client, account) }
}

export async function countLocations(client: Queryable, account: string): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM private_locations WHERE account_id = $1 AND deleted_at IS NULL',
    [account],
  )
  return rows[0]?.total ?? 0
}

export async function readLocation(
  client: Queryable,
  account: string,
  id: string,
  lock = false,
): Promise<LocationRow | undefined> {
  const { rows } = await client.query<LocationRow>(
    `SELECT ${columnList} FROM private_locations
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL ${lock ? 'FOR UPDATE' : ''}`,
    [account, id],
  )
  return rows[0]
}

type Content = Pick<LocationRow, 'id' | 'name' | 'icon' | 'secrets'> & { at: Date }

/** Undefined when the slug is taken. */
export async function insertLocation(
  client: Queryable,
  account: string,
  { id, slug, name, icon, secrets, at }: Content & { slug: string },
): Promise<LocationRow | undefined> {
  const { rows } = await client.query<LocationRow>(
    `INSERT INTO private_locations (id, account_id, slug, name, icon, secrets, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (account_id, slug) WHERE deleted_at IS NULL DO NOTHING RETURNING ${columnList}`,
    [id, account, slug, name, icon, JSON.stringify(secrets), at],
  )
  return rows[0]
}

export async function updateLocation(
  client: Queryable,
  account: string,
  { id, name, icon, secrets, at }: Content,
): Promise<LocationRow | undefined> {
  const { rows } = await client.query<LocationRow>(
    `UPDATE private_locations SET name = $3, icon = $4, secrets = $5, updated_at = $6, version = version + 1
     WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING ${columnList}`,
    [account, id, name, icon, JSON.stringify(secrets), at],
  )
  return rows[0]
}

/** Its slug stays readable in results, and its keys are void while it is deleted. */
export async function softDeleteLocation(client: Queryable, account: string, id: string, at: Date): Promise<void> {
  await client.query(
    'UPDATE private_locations SET deleted_at = $3, version = version + 1 WHERE account_id = $1 AND id = $2',
    [account, id, at],
  )
}

/** A location that was deleted since then, locked. */
export async function readDeletedLocation(
  client: Queryable,
  account: string,
  { id, since }: { id: string; since: Date },
): Promise<LocationRow | undefined> {
  const { rows } = await client.query<LocationRow>(
    `SELECT ${columnList} FROM private_locations WHERE account_id = $1 AND id = $2 AND deleted_at > $3 FOR UPDATE`,
    [account, id, since],
  )
  return rows[0]
}

/** Undefined when another location has its slug since. */
export async function restoreLocation(
  client: Queryable,
  account: string,
  { id, slug, at }: { id: string; slug: string; at: Date },
): Promise<LocationRow | undefined> {
  const { rows } = await client.query<LocationRow>(
    `UPDATE private_locations SET deleted_at = NULL, updated_at = $4, version = version + 1
     WHERE account_id = $1 AND id = $2
       AND NOT EXISTS (SELECT 1 FROM private_locations WHERE account_id = $1 AND slug = $3 AND deleted_at IS NULL)
     RETURNING ${columnList}`,
    [account, id, slug, at],
  )
  return rows[0]
}

/** Locks the account against changes of its checks, so that none begins to use a location that is being deleted. */
export async function lockLocationsOf(client: Queryable, account: string): Promise<void> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account])
}

/** Everything that names the location, deactivated checks included. `location` is `pl_` and its UUID. */
export async function usesOfLocation(client: Queryable, account: string, location: string): Promise<LocationUse[]> {
  const { rows } = await client.query<LocationUse>(
    `SELECT 'check' AS kind, id::text, name FROM checks
     WHERE account_id = $1 AND deleted_at IS NULL AND definition->'privateLocations' ? $2
     UNION ALL
     SELECT 'check group', id::text, name FROM check_groups WHERE account_id = $1 AND definition->'privateLocations' ? $2
     ORDER BY kind, name`,
    [account, location],
  )
  return rows
}
