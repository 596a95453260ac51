import type { CheckGroup, Overview, OverviewGroup } from '@vedette/wire'
import { call, callAll, withQuery } from './client.ts'

/** All check groups of the account, by name. */
export const groupsQuery = {
  queryKey: ['groups'],
  queryFn: async () => (await callAll<CheckGroup>('/v1/check-groups')).toSorted((a, b) => a.name.localeCompare(b.name)),
  staleTime: 30_000,
}

export const groupQuery = (id: number) => ({
  queryKey: ['groups', id],
  queryFn: () => call<CheckGroup>('GET', `/v1/check-groups/${id}`),
})

/** How the checks of each group are, by its id. */
export const groupCountsQuery = {
  queryKey: ['overview', 'check-groups'],
  queryFn: async (): Promise<ReadonlyMap<number, OverviewGroup>> => {
    const query = withQuery('/v1/overview', { with: 'groups', groupBy: 'group' })
    const { groups = [] } = await call<Pick<Overview, 'groups'>>('GET', query)
    return new Map(groups.flatMap((group) => (group.key === null ? [] : [[Number(group.key), group]])))
  },
}
