import type { SavedView } from '@vedette/wire'
import { call } from './client.ts'

/** The views of the list that somebody of the account has saved. */
export const savedViewsQuery = {
  queryKey: ['saved-views'],
  queryFn: () => call<SavedView[]>('GET', '/v1/saved-views'),
  staleTime: 60_000,
} as const

export const saveView = ({ name, query }: Pick<SavedView, 'name' | 'query'>) =>
  call<SavedView>('POST', '/v1/saved-views', { name, query })

export const deleteView = ({ id }: Pick<SavedView, 'id'>) => call<undefined>('DELETE', `/v1/saved-views/${id}`)
