import type { AlertChannel } from '@vedette/wire'

/** Kind and name of a channel, or its address when it has none. */
export function channelName(channel: Pick<AlertChannel, 'id' | 'type' | 'config'>): string {
  const { name, address, url } = channel.config
  const target = [name, address, url].find((value) => typeof value === 'string' && value !== '')
  return `${channel.type.toLowerCase()}: ${typeof target === 'string' ? target : `channel ${channel.id}`}`
}
