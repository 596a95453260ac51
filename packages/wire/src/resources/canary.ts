import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

const step = z.object({
  name: z.string().describe('The part of Vedette that was reached.'),
  what: z.string().describe('What it did.'),
  at: dateTime.nullable().describe('When; null while it has not.'),
})
export type CanaryStep = z.infer<typeof step>

/** A run that fails on purpose, and how far it came on the road from the schedule to a channel. */
export const canaryResponse = z
  .object({
    checkRunId: z.int().describe('Its due time in epoch milliseconds.'),
    outcome: z.enum(['running', 'accepted', 'failed']),
    failure: z.string().nullable().describe('At which step the road ended, and why.'),
    steps: z.array(step),
  })
  .meta({ id: 'Canary' })
export type CanaryAnswer = z.infer<typeof canaryResponse>
