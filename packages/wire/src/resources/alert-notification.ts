import { z } from 'zod'
import { alertChannelTypes, checkTypeNames, notificationStatuses } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

const moment = dateTime.nullable()

/**
 * A row of the ledger of notifications. Source: contract, "Alert notification"; `checkName` and below are additions.
 */
export const alertNotificationResponse = z
  .object({
    id: z.string().describe('The same for every attempt; receivers get it as `webhook-id` or `Message-ID`.'),
    type: z.enum(alertChannelTypes),
    status: z.enum(notificationStatuses),
    alertConfig: z.record(z.string(), z.unknown()).describe('Settings of the channel, secrets masked.'),
    notificationResult: z.string().nullable().describe('The first 256 bytes of the answer, or what went wrong.'),
    timestamp: moment.describe('When it was sent: accepted by the receiver. Null until then.'),
    checkType: z.enum(checkTypeNames).nullable().describe('null only for alerts of Vedette itself.'),
    checkId: z.string().nullable().describe('null only for alerts of Vedette itself.'),
    checkAlertId: z.string(),
    alertChannelId: z.int(),
    checkResultId: z.string().nullable().describe('null only for alerts of Vedette itself.'),
    checkName: z.string().describe('For alerts of Vedette itself: Vedette, or the name of the location.'),
    title: z.string().nullable().describe('What an alert of Vedette itself says; null for alerts of checks.'),
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
export type AlertNotification = z.infer<typeof alertNotificationResponse>
