import { alertChannelPreviewWrite, alertChannelWrite, type AlertChannelKind } from '@vedette/wire'
import { z } from 'zod'
import { channelKinds, type ChannelKind, type ChannelSettings } from '../../alerting/index.ts'

const [first, ...others] = channelKinds.map(({ type }) => type)
if (!first) throw new Error('No channel kind is built')

/** The write schema of a channel of any kind. */
export const channelWrite = alertChannelWrite([first, ...others])

/** What a preview of a channel of any kind is asked with. */
export const channelPreviewWrite = alertChannelPreviewWrite([first, ...others])

/** A kind as the API returns it. A server that sends nothing itself does not know what is missing. */
export const describeKind = (
  { type, title, form, defaults, config, ...kind }: ChannelKind,
  settings: ChannelSettings | undefined,
): AlertChannelKind => ({
  type,
  title,
  form,
  defaults,
  schema: z.toJSONSchema(config),
  missing: (settings && kind.missing(settings)) ?? null,
})

/** Paths of a body whose values are never shown in an error. */
export const secretPaths = channelKinds.flatMap((kind) => kind.secretPaths.map((path) => `config.${path}`))
