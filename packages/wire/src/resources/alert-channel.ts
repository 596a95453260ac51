import { z } from 'zod'
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
const ignored = { id: z.unknown().optional(), created_at: z.unknown().optional(), updated_at: z.unknown().optional() }

/** One subscription, to be made or changed. */
export const subscriptionWrite = z
  .strictObject({
    checkId: uuidOf('a check').nullable().optional().describe('Check to subscribe. Not together with `groupId`.'),
    groupId: z.int().positive().nullable().optional().describe('Group to subscribe. Not together with `checkId`.'),
    activated: z.boolean(),
    ...ignored,
  })
  .meta({ id: 'AlertSubscriptionWrite' })

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
    .meta({ id: 'AlertChannelWrite' })
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
