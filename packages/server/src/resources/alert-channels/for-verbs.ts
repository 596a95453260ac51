export { kindOf, parsedConfig } from './channel-config.ts'
export { channelWrite } from './schema.ts'
export { listChannels, type ChannelRow } from './store.ts'
export { channelVerbs } from './write-channel.ts'
