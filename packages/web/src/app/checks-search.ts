import { checkStates, type CheckState } from '@vedette/wire'

export const groupings = ['state', 'tag', 'host', 'group', 'none'] as const
export type Grouping = (typeof groupings)[number]
export const orders = ['trouble', 'name', 'lastRun', 'responseTime'] as const
export type Order = (typeof orders)[number]

/** Filters, grouping and order of the list live in the address, so that every view can be linked and kept. */
export interface ChecksSearch {
  search?: string
  /** Tags, separated by commas; checks with any of them match. */
  tag?: string
  state?: CheckState
  host?: string
  muted?: boolean
  /** Id of a check group. */
  inGroup?: number
  group?: Exclude<Grouping, 'state'>
  sort?: Exclude<Order, 'trouble'>
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

/** Reads the view from an address; what is unknown is left out. */
export function readChecksSearch(search: Record<string, unknown>): ChecksSearch {
  const state = checkStates.find((each) => each === search['state'])
  const group = groupings.find((each) => each === search['group'])
  const sort = orders.find((each) => each === search['sort'])
  const [found, tag, host] = [text(search['search']), text(search['tag']), text(search['host'])]
  return {
    ...(found !== undefined && { search: found }),
    ...(tag !== undefined && { tag }),
    ...(state && { state }),
    ...(host !== undefined && { host }),
    ...(typeof search['muted'] === 'boolean' && { muted: search['muted'] }),
    ...(isId(search['inGroup']) && { inGroup: Number(search['inGroup']) }),
    ...(group !== undefined && group !== 'state' && { group }),
    ...(sort !== undefined && sort !== 'trouble' && { sort }),
  }
}

const isId = (value: unknown): boolean => Number.isInteger(Number(value)) && Number(value) > 0

/** Whether the view shows a part of the checks only. */
export const isFiltered = ({ search, tag, state, host, muted, inGroup }: ChecksSearch): boolean =>
  [search, tag, state, host, muted, inGroup].some((each) => each !== undefined)

/** The view as a query, the same text for the same view. */
export function queryOf(search: ChecksSearch): string {
  const entries = Object.entries(search).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toString()
}

/** The view that a query stands for; what is unknown is left out. */
export function searchOf(query: string): ChecksSearch {
  const { muted, ...search } = Object.fromEntries(new URLSearchParams(query))
  return readChecksSearch({ ...search, ...((muted === 'true' || muted === 'false') && { muted: muted === 'true' }) })
}
