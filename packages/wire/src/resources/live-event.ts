import { z } from 'zod'
import { checkStates, notificationStatuses, outcomes, resultTypes } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** A stored result, and what the overview shows of its check from now on. */
const resultEvent = z.object({
  kind: z.literal('result'),
  checkId: z.string(),
  resultId: z.string(),
  resultType: z.enum(resultTypes),
  outcome: z.enum(outcomes),
  degraded: z.boolean(),
  location: z.string().nullable(),
  responseTime: z.number().nullable(),
  dueAt: dateTime,
  attempts: z.int().describe('Attempts of the run before this one.'),
  state: z.enum(checkStates),
  previousState: z.enum(checkStates).describe('State of the check before this result.'),
  stateSince: dateTime.nullable(),
  cause: z.string().nullable().describe('What is wrong with the check now, in one sentence.'),
  failingLocations: z.array(z.string()),
  lastPassAt: dateTime.nullable(),
})

const checkEvent = z.object({
  kind: z.literal('check'),
  checkId: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
})

const notificationEvent = z.object({
  kind: z.literal('notification'),
  checkId: z.string().nullable(),
  notificationId: z.string(),
  status: z.enum(notificationStatuses),
})

/** Files of a result were stored, some time after the result. */
const assetsEvent = z.object({ kind: z.literal('assets'), checkId: z.string(), resultId: z.string() })

/** The installation's own health changed: what is wrong is read anew. */
const healthEvent = z.object({ kind: z.literal('health') })

/** What the server pushes to open pages (server-sent events, one JSON object a message). */
export const liveEvent = z.discriminatedUnion('kind', [
  resultEvent,
  assetsEvent,
  checkEvent,
  notificationEvent,
  healthEvent,
])
export type LiveEvent = z.infer<typeof liveEvent>
