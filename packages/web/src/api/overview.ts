import type { CheckUptime, Overview, OverviewRow } from '@vedette/wire'
import { call, withQuery } from './client.ts'
import type { ChecksSearch } from '../app/checks-search.ts'

/** Rows that are asked for at once. */
export const pageSize = 100

type Fleet = Pick<Overview, 'serverTime' | 'counts' | 'total' | 'tags' | 'groups'>

/** What the list is made of: how many checks there are of which kind, and in which groups. */
export const fleetQuery = ({ group, sort: _sort, ...search }: ChecksSearch) => ({
  queryKey: ['overview', 'fleet', search, group ?? 'section'],
  queryFn: () =>
    call<Fleet>(
      'GET',
      withQuery('/v1/overview', {
        ...filterOf(search),
        with: 'counts,tags,groups',
        ...(group !== 'none' && { groupBy: group ?? 'section' }),
      }),
    ),
  // It is read ahead of the list that shows it.
  staleTime: 5000,
})

/** Rows of a section of the list: those from `page` times a hundred on. */
export const rowsQuery = (search: ChecksSearch, sectionFilter: SectionFilter, page: number) => {
  const { group: _group, ...filter } = search
  const query = { ...filterOf(filter), ...sectionFilter }
  return {
    queryKey: ['overview', 'rows', query, page],
    queryFn: async () => (await call<Pick<Overview, 'items'>>('GET', pathOf(query, page))).items,
    staleTime: 30_000,
    gcTime: 60_000,
  }
}

/** What a group of checks is as a filter of the list. */
export type SectionFilter = Partial<Record<'section' | 'tag' | 'host' | 'group', string>> & {
  untagged?: boolean
  ungrouped?: boolean
}

/** Names of the address are those that people read. */
const filterOf = ({ inGroup, ...filter }: ChecksSearch) => ({
  ...filter,
  ...(inGroup !== undefined && { group: inGroup }),
})

const pathOf = (query: object, page: number) =>
  withQuery('/v1/overview', { ...query, with: 'items', limit: pageSize, page: page + 1 })

/** One check as the list shows it. */
export const rowQuery = (checkId: string) => ({
  queryKey: ['overview', 'one', checkId],
  queryFn: async (): Promise<OverviewRow | null> =>
    (await call<Pick<Overview, 'items'>>('GET', withQuery('/v1/overview', { checkId, with: 'items' }))).items[0] ??
    null,
})

/** The share of good runs of the last 24 hours, by check. */
export const uptimeQuery = (checkIds: readonly string[]) => ({
  queryKey: ['overview', 'uptime', checkIds],
  queryFn: async () => {
    const answer = await call<CheckUptime[]>('GET', withQuery('/v1/overview/uptime', { checkId: checkIds.join(',') }))
    return new Map(answer.map(({ checkId, uptime }) => [checkId, uptime]))
  },
  enabled: checkIds.length > 0,
  staleTime: 60_000,
  refetchInterval: 60_000,
})
