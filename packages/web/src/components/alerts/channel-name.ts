import type { AlertChannel } from '@vedette/wire'

/** The kind of a channel in the middle of a sentence. */
export const kindText = (type: string): string => (type === 'EMAIL' ? 'e-mail' : type.toLowerCase())

/** Kind and name of a channel, or its address when it has none. */
export function channelName(channel: Pick<AlertChannel, 'id' | 'type' | 'config'>): string {
  const { name, address, url } = channel.config
  const target = [name, address, url].find((value) => typeof value === 'string' && value !== '')
  return `${kindText(channel.type)}: ${typeof target === 'string' ? target : `channel ${channel.id}`}`
}
