import type { Health } from '@vedette/wire'
import { call } from '../../api/client.ts'

/** Used by every page. Live events bring changes; the interval is for what they miss. */
export const healthQuery = {
  queryKey: ['health'],
  queryFn: () => call<Health>('GET', '/v1/health'),
  refetchInterval: 30_000,
  // The frame, the list and the sheet all show it.
  staleTime: 10_000,
  // A device that believes to be offline asks all the same: not being able to ask is an answer.
  networkMode: 'always',
} as const
