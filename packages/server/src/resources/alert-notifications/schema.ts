import { alertChannelTypes, checkTypeNames, notificationStatuses } from '@vedette/wire'
import { z } from 'zod'
import { pageQuery } from '../../http/paging.ts'
import { booleanParam, idParam, instantParam } from '../../http/query.ts'

const moment = z.string().nullable().describe('ISO 8601 in UTC with milliseconds.')

/** Source: contract, "Alert notification"; `checkName` and below are additions. */
export const notificationResponse = z
  .object({
    id: z.string().describe('The same for every attempt; receivers get it as `webhook-id` or `Message-ID`.'),
    type: z.enum(alertChannelTypes),
    status: z.enum(notificationStatuses),
    alertConfig: z.record(z.string(), z.unknown()).describe('Settings of the channel, secrets masked.'),
    notificationResult: z.string().nullable().describe('The first 256 bytes of the answer, or what went wrong.'),
    timestamp: moment.describe('When it was accepted; when it was queued, while it is not.'),
    checkType: z.enum(checkTypeNames),
    checkId: z.string(),
    checkAlertId: z.string(),
    alertChannelId: z.int(),
    checkResultId: z.string(),
    checkName: z.string(),
    alertType: z.string(),
    reminder: z.int().describe('0 is the first alert.'),
    attempts: z.int().describe('How often it was tried.'),
    responseStatus: z.int().nullable().describe('Status of the last answer.'),
    dueAt: moment.describe('When the run was due.'),
    startedAt: moment.describe('When the run started.'),
    finishedAt: moment.describe('When the run ended.'),
    decidedAt: moment.describe('When the alert was decided.'),
    queuedAt: moment.describe('When the notification was queued.'),
    acceptedAt: moment.describe('When the receiver took it.'),
    nextAttemptAt: moment.describe('When it is tried next.'),
  })
  .meta({ id: 'AlertNotification' })
export type NotificationAnswer = z.infer<typeof notificationResponse>

export const listQuery = z.strictObject({
  ...pageQuery,
  from: instantParam().optional().describe('UNIX seconds, included. Six hours ago when not sent.'),
  to: instantParam().optional().describe('UNIX seconds, not included. Six hours after `from` when not sent.'),
  alertChannelId: idParam().optional(),
  hasFailures: booleanParam().optional().describe('true: those that were given up; false: the others.'),
  checkId: z.guid().optional().describe('Those of one check. Without `to` the window ends now.'),
  checkResultId: z.guid().optional().describe('Those a result led to. Without `to` the window ends now.'),
})
export type ListQuery = z.infer<typeof listQuery>
