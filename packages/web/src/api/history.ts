import type { CheckHistory, CheckEpisode, CheckPhases } from '@vedette/wire'
import { rangeOf, type CheckSearch } from '../app/check-search.ts'
import { serverNow } from '../components/time/time-text.tsx'
import { call, withQuery } from './client.ts'

/** How a check did over a range of time. */
export const historyQuery = (checkId: string, search: CheckSearch) => ({
  queryKey: ['history', checkId, search],
  queryFn: () => {
    const { from, to } = rangeOf(search, serverNow())
    return call<CheckHistory>('GET', withQuery(`/v1/checks/${checkId}/history`, { from, to }))
  },
})

/** When it was not well, newest first. */
export const episodesQuery = (checkId: string, search: CheckSearch) => ({
  queryKey: ['episodes', checkId, search],
  queryFn: () => {
    const { from, to } = rangeOf(search, serverNow())
    return call<CheckEpisode[]>('GET', withQuery(`/v1/checks/${checkId}/episodes`, { from, to, limit: 50 }))
  },
})

/** Where the time of its runs went. Read again whenever the history is. */
export const phasesQuery = (checkId: string, search: CheckSearch) => ({
  queryKey: ['history', checkId, 'phases', search],
  queryFn: () => {
    const { from, to } = rangeOf(search, serverNow())
    return call<CheckPhases>('GET', withQuery(`/v1/checks/${checkId}/phases`, { from, to }))
  },
})
