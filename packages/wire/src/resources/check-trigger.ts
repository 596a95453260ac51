import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

const triggerFields = {
  id: z.int(),
  token: z.string().describe('Whoever has it can run what the trigger runs.'),
  url: z.string().describe('Address to call, with GET or POST.'),
  created_at: dateTime,
  called_at: dateTime.nullable().describe('When it was last called.'),
  updated_at: dateTime.nullable(),
}

/** An address that runs a check without a key. */
export const checkTrigger = z.object({ ...triggerFields, checkId: z.string() }).meta({ id: 'CheckTrigger' })
export type CheckTrigger = z.infer<typeof checkTrigger>

/** An address that runs the checks of a group without a key. */
export const checkGroupTrigger = z.object({ ...triggerFields, groupId: z.int() }).meta({ id: 'CheckGroupTrigger' })
export type CheckGroupTrigger = z.infer<typeof checkGroupTrigger>

/** What a call of a trigger came to. */
export const triggeredRun = z
  .object({
    hasFailures: z
      .boolean()
      .nullable()
      .describe('True when a check failed, timed out or nothing is known of it. null when not all is over yet (202).'),
    responseTime: z.number().nullable().describe('Milliseconds, of the slowest result.'),
    sessions: z.array(z.object({ checkSessionId: z.string(), checkSessionLink: z.string() })),
  })
  .meta({ id: 'TriggeredRun' })
export type TriggeredRun = z.infer<typeof triggeredRun>
