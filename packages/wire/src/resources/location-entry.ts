import { z } from 'zod'

/** A data-center location as the API lists it. */
export const locationEntry = z
  .object({
    region: z.string().describe('Its code, as checks name it.'),
    name: z.string().describe('Where it is.'),
  })
  .meta({ id: 'Location' })
export type LocationEntry = z.infer<typeof locationEntry>
