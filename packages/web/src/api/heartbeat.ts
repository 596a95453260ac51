import { queryOptions } from '@tanstack/react-query'
import type { HeartbeatEvents, HeartbeatTimer } from '@vedette/wire'
import { call } from './client.ts'

/** Both are outdated by each result of the check, and the timer also by a change of it. */
const ofHeartbeat = (checkId: string, part: string) => ['results', checkId, 'heartbeat', part]

export const heartbeatEventsQuery = (checkId: string) =>
  queryOptions({
    queryKey: ofHeartbeat(checkId, 'events'),
    queryFn: () => call<HeartbeatEvents>('GET', `/v1/checks/heartbeats/${checkId}/events`),
    refetchInterval: 60_000,
  })

export const heartbeatTimerQuery = (checkId: string) =>
  queryOptions({
    queryKey: ofHeartbeat(checkId, 'timer'),
    queryFn: () => call<HeartbeatTimer>('GET', `/v1/checks/heartbeats/${checkId}/timer`),
    refetchInterval: 30_000,
  })

/** What became of a request to the address that events of a check are sent to. */
export interface TakenEvent {
  stored: boolean
  reason: string | null
}

/** Sends an event as a job would, at this server whatever the address is called outside. */
export const sendEvent = (address: string) => call<TakenEvent>('POST', new URL(address).pathname)
