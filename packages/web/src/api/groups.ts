import type { CheckGroup, Overview, OverviewGroup } from '@vedette/wire'
import { call, callPage, withQuery } from './client.ts'

const pageSize = 100

/** All check groups of the account, by name. */
export const groupsQuery = {
  queryKey: ['groups'],
  queryFn: async (): Promise<CheckGroup[]> => {
    const groups: CheckGroup[] = []
    for (let page = 1; ; page++) {
      const { items, total } = await callPage<CheckGroup>('/v1/check-groups', { limit: pageSize, page })
      groups.push(...items)
      if (items.length === 0 || groups.length >= total) break
    }
    return groups.toSorted((a, b) => a.name.localeCompare(b.name))
  },
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
