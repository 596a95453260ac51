import { locations, type LocationId } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { invalidField } from '../api-error.ts'
import { locationSlugs, type LocationSlugs } from './location-slugs.ts'
import { readPrivateLocations } from './store.ts'

/** The slugs and ids of an account's locations, as of now. */
export const readLocationSlugs = async (client: Queryable, account: string): Promise<LocationSlugs> =>
  locationSlugs(await readPrivateLocations(client, account))

/** The locations that the query parameter `location` names, deleted ones included. Throws a 400 when there is none. */
export async function locationsNamed(client: Queryable, account: string, slug: string): Promise<LocationId[]> {
  const ids = (await readLocationSlugs(client, account)).idsOf(slug)
  if (ids.length === 0) throw unknownLocation(slug)
  return ids
}

/** The location at which a field of the query asks for a run of the account. Throws a 400 when there is none. */
export async function locationToRunAt(
  client: Queryable,
  account: string,
  slug: string,
  field = 'location',
): Promise<LocationId> {
  const id = (await readLocationSlugs(client, account)).idOf(slug)
  if (id === undefined) throw unknownLocation(slug, field)
  return id
}

const unknownLocation = (slug: string, field = 'location') =>
  invalidField(
    field,
    `must be one of ${locations.join(', ')}, or a private location of the account, got ${JSON.stringify(slug)}`,
    'query',
  )
