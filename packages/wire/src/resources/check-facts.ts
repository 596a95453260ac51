import { z } from 'zod'
import { dateTime, heldBackBy } from './answer-fields.ts'

/** What is known of a check besides its settings and its state. */
export const checkFacts = z
  .object({
    certificate: z
      .object({
        expiresAt: dateTime,
        daysRemaining: z.int().describe('Whole days, negative once it expired.'),
        alertFromDays: z
          .int()
          .nullable()
          .describe('From how many days on its channels are alerted; null when none of them is.'),
      })
      .nullable()
      .describe('As the last run saw it that came so far; null when none did.'),
    heldBackBy: heldBackBy.describe(
      'The parent for which an alert that is due is held back: it was failing when a run of the check was last decided. null: none is.',
    ),
    lastChange: z
      .object({
        at: dateTime,
        by: z.string().describe('E-mail address of a person, name of an API key, or the part of Vedette that did it.'),
        byKind: z.enum(['user', 'key', 'system']),
      })
      .nullable()
      .describe('The last change of its settings; null when nothing is written down of it.'),
  })
  .meta({ id: 'CheckFacts' })
export type CheckFacts = z.infer<typeof checkFacts>
