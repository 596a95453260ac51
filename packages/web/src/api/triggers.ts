import type { CheckGroupTrigger, CheckTrigger } from '@vedette/wire'
import { ApiFailure, call } from './client.ts'

/** What a trigger runs, as paths of the API have it. */
export type TriggeredKind = 'checks' | 'check-groups'
type Trigger = CheckTrigger | CheckGroupTrigger

export const triggerPath = (kind: TriggeredKind, id: string | number) => `/v1/triggers/${kind}/${id}`

/** The trigger of a check or a group; null while it has none. */
export const triggerQuery = (kind: TriggeredKind, id: string | number) => ({
  queryKey: ['triggers', kind, id],
  queryFn: () =>
    call<Trigger>('GET', triggerPath(kind, id)).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === 404) return null
      throw error
    }),
  // It says when it was last called.
  refetchInterval: 30_000,
})
