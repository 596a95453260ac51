import { alertChannelWrite, type AlertChannelKind } from '@vedette/wire'
import { z } from 'zod'
import { channelKinds, type ChannelKind } from '../../alerting/index.ts'

const [first, ...others] = channelKinds.map(({ type }) => type)
if (!first) throw new Error('No channel kind is built')

/** The write schema of a channel of any kind. */
export const channelWrite = alertChannelWrite([first, ...others])

/** A kind as the API returns it. */
export const describeKind = ({ type, title, form, defaults, config }: ChannelKind): AlertChannelKind => ({
  type,
  title,
  form,
  defaults,
  schema: z.toJSONSchema(config),
})

/** Paths of a body whose values are never shown in an error. */
export const secretPaths = channelKinds.flatMap((kind) => kind.secretPaths.map((path) => `config.${path}`))
