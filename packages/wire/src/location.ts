import { z } from 'zod'
import { locations, type Location } from './enums.ts'

/** A private location as the server knows it: `pl_` and the UUID of its row. People know it by its slug. */
export type PrivateLocationId = `pl_${string}`

/** The identity of a location. The slugs of two accounts may be equal, these ids never are. */
export type LocationId = Location | PrivateLocationId

const prefix = 'pl_'
const regions: ReadonlySet<string> = new Set(locations)

export const isRegion = (text: string): text is Location => regions.has(text)

/** True for the id of a private location. A slug never is one: it has no underscore. */
export const isPrivateLocation = (text: string): text is PrivateLocationId =>
  text.startsWith(prefix) && z.guid().safeParse(text.slice(prefix.length)).success

/** The id of the private location whose row has this UUID. */
export const privateLocationId = (uuid: string): PrivateLocationId => `${prefix}${uuid}`

/** The UUID of a private location's row. */
export const uuidOfLocation = (id: PrivateLocationId): string => id.slice(prefix.length)

/** Accepts a region or `pl_<uuid>`. Inside the server, locations are identified by nothing else. */
export const locationIdSchema = z.custom<LocationId>(
  (value) => typeof value === 'string' && (isRegion(value) || isPrivateLocation(value)),
  'must be a region or the id of a private location',
)
