import { alertChannelFields, alertChannelResponse } from '@vedette/wire'
import { z } from 'zod'
import { channelKinds, type ChannelKind } from '../../alerting/index.ts'

const [first, ...others] = channelKinds.map(({ type }) => type)
if (!first) throw new Error('No channel kind is built')

/** Fields only answers carry. Sent back they are ignored. */
const ignored = { id: z.unknown().optional(), created_at: z.unknown().optional(), updated_at: z.unknown().optional() }

export const channelBody = z
  .strictObject({
    type: z.enum([first, ...others]).describe('Kind of the channel.'),
    config: z.record(z.string(), z.unknown()).describe('Settings of the kind; see GET /v1/alert-channel-kinds.'),
    ...z.object(alertChannelFields).partial().shape,
    ...ignored,
  })
  .meta({ id: 'AlertChannelWrite' })
export type ChannelBody = z.infer<typeof channelBody>

export const channelResponse = alertChannelResponse.meta({ id: 'AlertChannel' })

export const subscriptionBody = z
  .strictObject({
    checkId: z.guid().nullable().optional().describe('Check to subscribe. Not together with `groupId`.'),
    groupId: z.int().positive().nullable().optional().describe('Group to subscribe. Not together with `checkId`.'),
    activated: z.boolean(),
    ...ignored,
  })
  .meta({ id: 'AlertSubscriptionWrite' })

export const subscriptionResponse = z.object({
  id: z.int(),
  checkId: z.string().nullable(),
  groupId: z.int().nullable(),
  activated: z.boolean(),
})

export const kindResponse = z.object({
  type: z.string(),
  title: z.string(),
  form: z.array(z.record(z.string(), z.unknown())).describe('Fields of `config`, as the web app shows them.'),
  defaults: z.record(z.string(), z.unknown()),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `config`.'),
})

export const testResponse = z.object({
  accepted: z.boolean().describe('The receiver took the message.'),
  status: z.int().nullable().describe('Status of its answer.'),
  response: z.string().describe('The first 256 bytes of its answer, or what went wrong.'),
})

export const describeKind = ({ type, title, form, defaults, config }: ChannelKind): z.infer<typeof kindResponse> => ({
  type,
  title,
  form: form.map((section) => ({ ...section })),
  defaults: { ...defaults },
  schema: z.toJSONSchema(config),
})

/** Paths of a body whose values no error repeats. */
export const secretPaths = channelKinds.flatMap((kind) => kind.secretPaths.map((path) => `config.${path}`))
