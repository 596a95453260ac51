import { z } from 'zod'
import { checkTypeNames } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** States of a check session; the last five are final. Source: contract, "States". */
export const sessionStatuses = [
  'STARTED',
  'PROGRESS',
  'PROGRESS_DEGRADED',
  'PROGRESS_FAILED',
  'PASSED',
  'DEGRADED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export const finalSessionStatuses = ['PASSED', 'DEGRADED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] as const
export type FinalSessionStatus = (typeof finalSessionStatuses)[number]

export const isFinalStatus = (status: SessionStatus): status is FinalSessionStatus =>
  (finalSessionStatuses as readonly string[]).includes(status)

/** Causes of a run that a session may name. Source: contract, "Check session". */
export const sessionRunSources = [
  'CLI_DEPLOY',
  'DEPLOYMENT',
  'DEPLOYMENT_CACHE_WARMER',
  'EDITOR',
  'GROUP_RUN_ALL',
  'LEGACY_TRIGGER',
  'SCHEDULER',
  'SCHEDULE_NOW',
  'SLACK_RERUN',
  'TEST_NO_RECORD',
  'TEST_RECORD',
  'TRIGGER_NO_RECORD',
  'TRIGGER_RECORD',
  'TRIGGER_API',
] as const

const most = 100
const tag = z.string().min(1).max(500).describe('A tag the check must have, or must not have after `!`.')
const matchTags = z
  .array(z.array(tag).min(1).max(most))
  .max(most)
  .default([])
  .describe('Checks that have all tags of one of the lists. Tags of their group count. Empty: any check.')
const refreshCache = z
  .boolean()
  .default(false)
  .describe('Taken for the sake of clients. Nothing is kept between runs that could be refreshed.')
const checkIdHelp = 'Only these checks. Empty: any check.'
const groupId = z
  .array(z.int().min(1).max(2_147_483_647))
  .max(most)
  .default([])
  .describe('Only checks of these groups: of each so many at a time as the group says, in its order. Empty: any check.')

const example = { target: { matchTags: [['shop', '!slow']], checkId: [], groupId: [] }, refreshCache: false }

/** Which checks to run, by the older path: an id that is none matches nothing. */
export const sessionTriggerV1 = z
  .strictObject({
    target: z
      .strictObject({
        matchTags,
        checkId: z.array(z.string().max(100)).max(1000).default([]).describe(checkIdHelp),
        groupId,
      })
      .prefault({}),
    refreshCache,
  })
  .meta({ id: 'CheckSessionTriggerV1', examples: [example] })

/** Which checks to run. A check must match every filter that is not empty. */
export const sessionTrigger = z
  .strictObject({
    target: z
      .strictObject({ matchTags, checkId: z.array(z.uuid()).max(1000).default([]).describe(checkIdHelp), groupId })
      .prefault({}),
    refreshCache,
  })
  .meta({ id: 'CheckSessionTrigger', examples: [example] })
export type SessionTarget = z.infer<typeof sessionTrigger>['target']

export const sessionCancel = z
  .strictObject({
    sequenceId: z
      .array(z.uuid())
      .min(1)
      .max(most)
      .optional()
      .describe('Cancel only these runs of the session, one for each location. Not sent: all that are not over.'),
  })
  .meta({ id: 'CheckSessionCancel', examples: [{}] })
export type SessionCancel = z.infer<typeof sessionCancel>

const sessionFields = {
  checkSessionId: z.string(),
  checkSessionLink: z.string().describe('Address of the session in the web app.'),
  checkId: z.string(),
  checkType: z.enum(checkTypeNames),
  name: z.string().describe('Of the check when it was asked for.'),
  status: z.enum(sessionStatuses),
  startedAt: dateTime.describe('When the run was asked for.'),
  stoppedAt: dateTime.nullable(),
  timeElapsed: z.number().describe('Milliseconds until it ended, or until now.'),
  runLocations: z.array(z.string()).describe('Each has one final result in the end.'),
  runSource: z.enum(sessionRunSources).nullable(),
}

/** One check that was asked to run besides its schedule. */
export const checkSession = z.object(sessionFields).meta({ id: 'CheckSession' })
export type CheckSession = z.infer<typeof checkSession>

/** A result of a session; the whole result is at `checkResultLink`, and has the same id in the history of the check. */
export const checkSessionResult = z
  .object({
    checkResultId: z.string(),
    checkResultLink: z.string(),
    checkId: z.string(),
    checkType: z.enum(checkTypeNames),
    name: z.string(),
    runLocation: z.string(),
    resultType: z.enum(['FINAL', 'ATTEMPT']),
    hasErrors: z.boolean().describe('Nothing is known of the target, because of trouble of ours.'),
    hasFailures: z.boolean(),
    isDegraded: z.boolean(),
    aborted: z.boolean(),
    isCancelled: z.boolean(),
    responseTime: z.number().nullable(),
    startedAt: dateTime.nullable(),
    stoppedAt: dateTime.nullable(),
    sequenceId: z.string().describe('The run at one location, with its retries.'),
  })
  .meta({ id: 'CheckSessionResult' })
export type CheckSessionResult = z.infer<typeof checkSessionResult>

/** A session with its results so far. */
export const checkSessionWithResults = z
  .object({ ...sessionFields, results: z.array(checkSessionResult).describe('Partial until the session is over.') })
  .meta({ id: 'CheckSessionWithResults' })
export type CheckSessionWithResults = z.infer<typeof checkSessionWithResults>

export const startedSessions = z.object({ sessions: z.array(checkSession) }).meta({ id: 'StartedCheckSessions' })
export type StartedSessions = z.infer<typeof startedSessions>
