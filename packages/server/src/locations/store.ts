import { isPrivateLocation, privateLocationId, uuidOfLocation, type PrivateLocationId } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { PrivateLocationsRow } from '../db/rows.ts'

export interface PrivateLocation {
  id: PrivateLocationId
  slug: string
  name: string
  isDeleted: boolean
}

type Row = Pick<PrivateLocationsRow, 'id' | 'slug' | 'name'> & { is_deleted: boolean }

const columns = 'id, slug, name, deleted_at IS NOT NULL AS is_deleted'

const toLocation = ({ id, slug, name, is_deleted }: Row): PrivateLocation => ({
  id: privateLocationId(id),
  slug,
  name,
  isDeleted: is_deleted,
})

/** Those of the account, deleted ones included. */
export async function readPrivateLocations(client: Queryable, account: string): Promise<PrivateLocation[]> {
  const { rows } = await client.query<Row>(
    `SELECT ${columns} FROM private_locations WHERE account_id = $1 ORDER BY created_at, id`,
    [account],
  )
  return rows.map(toLocation)
}

/** The private locations of the list, by id. Makes no query when there are only regions. */
export async function readLocationsById(
  client: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PrivateLocation>> {
  const uuids = [...new Set(ids.filter(isPrivateLocation))].map(uuidOfLocation)
  if (uuids.length === 0) return new Map()
  const { rows } = await client.query<Row>(`SELECT ${columns} FROM private_locations WHERE id = ANY($1::uuid[])`, [
    uuids,
  ])
  return new Map(rows.map(toLocation).map((location) => [location.id, location]))
}
