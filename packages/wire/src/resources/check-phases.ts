import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** Where the time of runs went, over a short range. */
export const checkPhases = z
  .object({
    from: dateTime,
    to: dateTime,
    bucketMs: z.int().describe('Width of a bucket, as in the history of the same range.'),
    phases: z
      .array(z.object({ name: z.string(), label: z.string() }))
      .readonly()
      .describe('In the order they happen. Empty for types whose runs have none.'),
    buckets: z
      .array(
        z
          .object({
            at: dateTime.describe('When it begins; a multiple of `bucketMs`.'),
            runs: z.int().describe('Those that were measured, of all locations.'),
            mean: z
              .array(z.number().nullable())
              .describe(
                'Mean of each phase in milliseconds, in their order: those of a bucket add up to its mean total.',
              ),
          })
          .meta({ id: 'PhaseBucket' }),
      )
      .describe('Oldest first. Those without measured runs are left out.'),
  })
  .meta({ id: 'CheckPhases' })
export type CheckPhases = z.infer<typeof checkPhases>

/** The longest range that phases are read for, in seconds: they stand in whole results, not in an index. */
export const longestPhaseRange = 6 * 3600
