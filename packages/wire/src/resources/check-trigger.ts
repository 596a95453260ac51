import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** An address that runs a check without a key. */
export const checkTrigger = z
  .object({
    id: z.int(),
    checkId: z.string(),
    token: z.string().describe('Whoever has it can run the check.'),
    url: z.string().describe('Address to call, with GET or POST.'),
    created_at: dateTime,
    called_at: dateTime.nullable().describe('When it was last called.'),
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'CheckTrigger' })
export type CheckTrigger = z.infer<typeof checkTrigger>

/** What a call of a trigger came to. */
export const triggeredRun = z
  .object({
    hasFailures: z
      .boolean()
      .nullable()
      .describe('True when it failed, timed out or nothing is known of it. null when it is not over yet (202).'),
    responseTime: z.number().nullable().describe('Milliseconds, of the slowest location.'),
    checkSessionId: z.string(),
    checkSessionLink: z.string().describe('Address of the session in the web app.'),
  })
  .meta({ id: 'TriggeredRun' })
export type TriggeredRun = z.infer<typeof triggeredRun>
