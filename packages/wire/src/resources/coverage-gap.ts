import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** A time in which nothing was checked. */
export const coverageGapResponse = z
  .object({
    id: z.int(),
    scope: z.string().describe('installation: nothing ran. location: nothing ran there.'),
    checkId: z.string().nullable(),
    location: z.string().nullable(),
    from: dateTime,
    to: dateTime,
    reason: z.string(),
  })
  .meta({ id: 'CoverageGap' })
export type CoverageGap = z.infer<typeof coverageGapResponse>
