import type { ChannelKind } from './channel-kind.ts'
import { webhookChannel } from './webhook/index.ts'
import { emailChannel } from './email/index.ts'

export { sendEmail } from './email/index.ts'

/** Every kind of channel that can be made. A new one is a folder and a line here. */
export const channelKinds: readonly ChannelKind[] = [emailChannel, webhookChannel]

export const channelKindOf = (type: string): ChannelKind | undefined => channelKinds.find((kind) => kind.type === type)

export type { ChannelKind, ChannelMessage, DeliveringKind, ChannelSettings, SendOutcome } from './channel-kind.ts'
