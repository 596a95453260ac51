import { z } from 'zod'

/** The id of such a thing in a body or query. */
export const uuidOf = (what: string) => z.guid({ error: `must be the id of ${what} (a UUID)` })
