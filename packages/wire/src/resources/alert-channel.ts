import { z } from 'zod'
import { onlyInAnswers } from './only-in-answers.ts'
import { alertChannelTypes, type AlertChannelType } from '../enums.ts'
import { formSectionSchema } from '../form.ts'
import { dateTime } from './answer-fields.ts'
import { uuidOf } from './uuid-of.ts'

/** A subscription of a channel: to a check or to a group, never both. */
export const subscriptionResponse = z.object({
  id: z.int(),
  checkId: z.string().nullable(),
  groupId: z.int().nullable(),
  activated: z.boolean(),
})
export type Subscription = z.infer<typeof subscriptionResponse>

const sentSubscription = z.strictObject({
  id: z.int().positive().optional().describe('Ignored in requests.'),
  checkId: uuidOf('a check').nullable().optional(),
  groupId: z.int().positive().nullable().optional(),
  activated: z.boolean(),
})

/** Fields that only answers carry. They are ignored when they are sent back. */
const ignored = { id: onlyInAnswers, created_at: onlyInAnswers, updated_at: onlyInAnswers }

/** One subscription, to be made or changed. */
export const subscriptionWrite = z
  .strictObject({
    checkId: uuidOf('a check').nullable().optional().describe('Check to subscribe. Not together with `groupId`.'),
    groupId: z.int().positive().nullable().optional().describe('Group to subscribe. Not together with `checkId`.'),
    activated: z.boolean(),
    ...ignored,
  })
  .meta({
    id: 'AlertSubscriptionWrite',
    examples: [{ checkId: '01980d5e-7a3c-8f21-9b64-c2d1f0a4e6b8', activated: true }],
  })

/** Flags of a channel. Source: contract, "Alert channel". */
const flags = {
  sendRecovery: z.boolean().describe('Send on recovery.'),
  sendFailure: z.boolean().describe('Send on failure.'),
  sendDegraded: z.boolean().describe('Send on degraded state.'),
  sslExpiry: z.boolean().describe('Alert on expiring certificates.'),
  sslExpiryThreshold: z.int().min(1).max(30).describe('Days before expiry from which to alert.'),
  autoSubscribe: z.boolean().describe('Subscribe newly created checks automatically.'),
}

/** What a channel is created with where a flag is not sent. */
export const alertChannelDefaults = {
  sendRecovery: true,
  sendFailure: true,
  sendDegraded: false,
  sslExpiry: false,
  sslExpiryThreshold: 30,
  autoSubscribe: false,
} as const

/** A channel as it is sent, of one of the kinds that are built. A replacement is sent whole as well. */
export const alertChannelWrite = <Kinds extends readonly [AlertChannelType, ...AlertChannelType[]]>(kinds: Kinds) =>
  z
    .strictObject({
      type: z.enum(kinds).describe('Kind of the channel.'),
      config: z.record(z.string(), z.unknown()).describe('Settings of the kind; see GET /v1/alert-channel-kinds.'),
      subscriptions: z
        .array(sentSubscription)
        .max(1000)
        .optional()
        .describe('Checks and groups this channel hears of.'),
      ...z.object(flags).partial().shape,
      ...ignored,
    })
    .meta({
      id: 'AlertChannelWrite',
      examples: [{ type: 'EMAIL', config: { address: 'on-call@example.com' } }],
    })
export type AlertChannelWrite = z.infer<ReturnType<typeof alertChannelWrite>>

/** A channel as the API answers it. `config` has its secrets masked. */
export const alertChannelResponse = z
  .object({
    id: z.int(),
    type: z.enum(alertChannelTypes),
    config: z.record(z.string(), z.unknown()).describe('Settings of its kind, secrets masked.'),
    subscriptions: z.array(subscriptionResponse),
    ...flags,
    created_at: dateTime,
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'AlertChannel' })
export type AlertChannel = z.infer<typeof alertChannelResponse>

/** A kind of channel that is built: enough to render its form. */
export const alertChannelKindResponse = z
  .object({
    type: z.enum(alertChannelTypes),
    title: z.string(),
    form: z.array(formSectionSchema).readonly().describe('Fields of `config`, as the web app shows them.'),
    defaults: z.record(z.string(), z.unknown()),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `config`.'),
    missing: z
      .string()
      .nullable()
      .describe('Which setting of the installation it cannot send without, and where to set it; null when it can.'),
  })
  .meta({ id: 'AlertChannelKind' })
export type AlertChannelKind = z.infer<typeof alertChannelKindResponse>

/** The outcome of a test message. */
export const alertTestResponse = z
  .object({
    accepted: z.boolean().describe('The receiver took the message.'),
    status: z.int().nullable().describe('Status of its answer.'),
    response: z.string().describe('The first 256 bytes of its answer, or what went wrong.'),
  })
  .meta({ id: 'AlertTest' })
export type AlertTest = z.infer<typeof alertTestResponse>

/** The alerts of which a preview shows a sample. */
export const previewedAlertTypes = ['ALERT_FAILURE', 'ALERT_DEGRADED', 'ALERT_RECOVERY', 'ALERT_SSL'] as const
export type PreviewedAlertType = (typeof previewedAlertTypes)[number]

/** A channel that is being written. */
export const alertChannelPreviewWrite = <Kinds extends readonly [AlertChannelType, ...AlertChannelType[]]>(
  kinds: Kinds,
) =>
  z
    .strictObject({
      type: z.enum(kinds).describe('Kind of the channel.'),
      config: z.record(z.string(), z.unknown()).describe('Settings of the kind, complete or not.'),
      alertType: z.enum(previewedAlertTypes).optional().describe('What the sample tells; a failure unless stated.'),
    })
    .meta({
      id: 'AlertChannelPreviewWrite',
      examples: [{ type: 'EMAIL', config: { address: 'on-call@example.com' }, alertType: 'ALERT_RECOVERY' }],
    })

/** What a channel would send of a sample alert. */
export const alertChannelPreviewResponse = z
  .object({
    parts: z
      .array(z.object({ title: z.string(), text: z.string() }))
      .describe('The parts of the message as they would be sent, secrets masked.'),
    problems: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('What is wrong with a setting: unknown variables, a body that is not the JSON it should be.'),
  })
  .meta({ id: 'AlertChannelPreview' })
export type AlertChannelPreview = z.infer<typeof alertChannelPreviewResponse>

/** A name that templates of channels may use. */
export const templateVariableResponse = z
  .object({
    name: z.string(),
    meaning: z.string(),
    sample: z.unknown().describe('Its value in a sample alert; for a hidden variable of the account a mask.'),
    source: z.enum(['alert', 'account']),
  })
  .meta({ id: 'TemplateVariable' })
export type TemplateVariable = z.infer<typeof templateVariableResponse>

export const channelConditions = ['working', 'failing', 'unused'] as const

/** Whether notifications of a channel arrive: by the newest that ended, and by test messages. */
export const alertChannelHealthResponse = z
  .object({
    channelId: z.int(),
    condition: z.enum(channelConditions).describe('failing: the newest was given up; unused: nothing was sent yet.'),
    at: dateTime.nullable().describe('When the newest one was queued, or a test message was accepted after it.'),
    status: z.int().nullable().describe('Status of the last answer.'),
    answer: z.string().nullable().describe('The first 256 bytes of the answer, or what went wrong.'),
    waiting: z.int().describe('Notifications that are being sent, or tried again.'),
  })
  .meta({ id: 'AlertChannelHealth' })
export type AlertChannelHealth = z.infer<typeof alertChannelHealthResponse>
