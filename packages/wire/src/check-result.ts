import { z } from 'zod'
import { checkTypeNames, resultTypes } from './enums.ts'

const dateTime = z.string().describe('ISO 8601 in UTC with milliseconds.')

/** One result as the API answers it. The type-specific part stands under the `resultKey` of its check type (`apiCheckResult`, …). */
export const checkResultResponse = z.looseObject({
  id: z.string(),
  resultType: z.enum(resultTypes).describe('FINAL is the result of a run, ATTEMPT one of its retried attempts.'),
  name: z.string().describe('Name of the check.'),
  checkId: z.string(),
  checkType: z.enum(checkTypeNames),
  hasFailures: z.boolean(),
  hasErrors: z.boolean().describe('The run could not be judged; the trouble was on our side.'),
  isDegraded: z.boolean().nullable(),
  isCancelled: z.boolean(),
  overMaxResponseTime: z.boolean().nullable(),
  runLocation: z.string().nullable().describe('null for results of passive checks, which run nowhere.'),
  startedAt: dateTime.nullable().describe('null when the run never started.'),
  stoppedAt: dateTime.nullable(),
  dueAt: dateTime.describe('When the run was due, by the server clock.'),
  created_at: dateTime,
  responseTime: z.number().nullable().describe('Milliseconds; null when nothing was measured.'),
  checkRunId: z.number(),
  attempts: z.int().describe('Retries before this result.'),
  sequenceId: z.string().nullable(),
  errorGroupIds: z.array(z.string()).nullable(),
  cause: z.string().nullable().describe('Why it failed or degraded, in one sentence.'),
  emulatedLocation: z.boolean().describe('The built-in agent stood in for this location.'),
})
export type CheckResult = z.infer<typeof checkResultResponse> & Record<string, unknown>

/** One row of the status list. Source: contract, "Check status"; `state`, `cause` and below are additions for the web app. */
export const checkStatusResponse = z.object({
  name: z.string(),
  checkId: z.string(),
  hasFailures: z.boolean(),
  hasErrors: z.boolean(),
  isDegraded: z.boolean(),
  longestRun: z.number().nullable(),
  shortestRun: z.number().nullable(),
  lastRunLocation: z.string().nullable(),
  lastCheckRunId: z.string().nullable(),
  sslDaysRemaining: z.number().nullable(),
  created_at: dateTime,
  updated_at: dateTime.nullable(),
  state: z.enum(['passing', 'degraded', 'failing', 'unknown', 'paused', 'pending']),
  stateSince: dateTime.nullable(),
  cause: z.string().nullable().describe('What is wrong now, in one sentence.'),
  lastResultId: z.string().nullable(),
  lastRunAt: dateTime.nullable(),
  lastPassAt: dateTime.nullable().describe('When it was last seen good.'),
  failingLocations: z.array(z.string()),
  overlaps: z.int().describe('Ticks dropped because the run before was still in flight.'),
  notRunnable: z.string().nullable().describe('Why the check cannot run, if it cannot.'),
})
export type CheckStatus = z.infer<typeof checkStatusResponse>
