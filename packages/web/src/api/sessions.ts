import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isFinalStatus, type CheckSession, type CheckSessionWithResults, type StartedSessions } from '@vedette/wire'
import { toast, toastNext } from '../ui/toast.ts'
import { checksText } from './checks-text.ts'
import { call, callPage, type Page } from './client.ts'

/** How often a session that is not over is read, in milliseconds. */
const lookEveryMs = 1000
const listLookEveryMs = 2000
/** Most checks that one request may name. */
const mostAtOnce = 1000
export const sessionsPerPage = 25

/** A session with its results, read again until it is over. */
export const sessionQuery = (id: string) => ({
  queryKey: ['sessions', id],
  queryFn: () => call<CheckSessionWithResults>('GET', `/v2/check-sessions/${id}`),
  refetchInterval: ({ state: { data } }: { state: { data: CheckSessionWithResults | undefined } }) =>
    data === undefined || isFinalStatus(data.status) ? (false as const) : lookEveryMs,
})

/** A page of the newest sessions, read again while one of them is not over. */
export const sessionsQuery = (page: number) => ({
  queryKey: ['sessions', 'list', page],
  queryFn: () => callPage<CheckSession>('/v2/check-sessions', { limit: sessionsPerPage, page }),
  placeholderData: keepPreviousData,
  refetchInterval: ({ state: { data } }: { state: { data: Page<CheckSession> | undefined } }) =>
    data?.items.some(({ status }) => !isFinalStatus(status)) ? listLookEveryMs : (false as const),
})

/** Runs what can run of a group, and goes to where it is followed. Fails with a 404 when nothing can. */
export function useRunGroup(groupId: number) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => call<StartedSessions>('POST', '/v2/check-sessions/trigger', { target: { groupId: [groupId] } }),
    onSuccess: async ({ sessions: [first] }) => {
      void client.invalidateQueries({ queryKey: ['sessions', 'list'] })
      if (first !== undefined)
        await navigate({
          to: '/groups/$groupId/runs/$startedAt',
          params: { groupId: String(groupId), startedAt: first.startedAt },
        })
    },
  })
}

/** Runs checks besides their schedule, those that are not paused, and offers to follow them. */
export function useRunChecks() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (checkIds: readonly string[]) =>
      call<StartedSessions>('POST', '/v2/check-sessions/trigger', {
        target: { checkId: checkIds.slice(0, mostAtOnce) },
      }),
    onSuccess: async ({ sessions }, checkIds) => {
      const left = checkIds.length - sessions.length
      const rest =
        left === 0 ? '' : ` ${checksText(left)} did not run: paused, waiting for events, or too many at once.`
      toastNext(`Running ${checksText(sessions.length)}.${rest}`, 'Follow', () => {
        const [only, ...others] = sessions
        if (only !== undefined && others.length === 0)
          void navigate({ to: '/sessions/$sessionId', params: { sessionId: only.checkSessionId } })
        else void navigate({ to: '/sessions' })
      })
      await client.invalidateQueries({ queryKey: ['sessions', 'list'] })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
}
