import type { AlertChannel, AlertChannelHealth } from '@vedette/wire'
import { call, callPage } from './client.ts'

/** The channels of the account. */
export const channelsQuery = {
  queryKey: ['channels'],
  queryFn: () => callPage<AlertChannel>('/v1/alert-channels', { limit: 100 }),
} as const

/** Whether their notifications arrive, by channel. */
export const channelHealthQuery = {
  queryKey: ['channels', 'health'],
  queryFn: async () => {
    const answer = await call<AlertChannelHealth[]>('GET', '/v1/alert-channel-health')
    return new Map(answer.map((health) => [health.channelId, health]))
  },
  refetchInterval: 60_000,
} as const
