import { z } from 'zod'

/** The body of a request that says everything in its address: none, or an empty object. */
export const emptyBody = z
  .strictObject({})
  .nullish()
  .meta({ examples: [{}] })
