import { z } from 'zod'
import { checkStates } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** The current state of a check. Source: contract, "Check status"; `state` and below are additions for the web app. */
export const checkStatusResponse = z
  .object({
    name: z.string(),
    checkId: z.string(),
    hasFailures: z.boolean(),
    hasErrors: z.boolean(),
    isDegraded: z.boolean(),
    longestRun: z.number().nullable().describe('Milliseconds.'),
    shortestRun: z.number().nullable().describe('Milliseconds.'),
    lastRunLocation: z.string().nullable(),
    lastCheckRunId: z.string().nullable(),
    sslDaysRemaining: z.number().nullable().describe('Days until its certificate ends.'),
    created_at: dateTime,
    updated_at: dateTime.nullable(),
    state: z.enum(checkStates),
    stateSince: dateTime.nullable(),
    cause: z.string().nullable().describe('What is wrong now, in one sentence.'),
    lastResultId: z.string().nullable(),
    lastRunAt: dateTime.nullable(),
    lastPassAt: dateTime.nullable().describe('When it was last seen good.'),
    failingLocations: z.array(z.string()),
    overlaps: z.int().describe('Ticks dropped because the run before was still in flight.'),
    notRunnable: z.string().nullable().describe('Why the check cannot run, if it cannot.'),
  })
  .meta({ id: 'CheckStatus' })
export type CheckStatus = z.infer<typeof checkStatusResponse>
