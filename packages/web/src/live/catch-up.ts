import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Overview } from '@vedette/wire'
import { noteUnnamedListChange } from './list-changes.ts'

type Counts = Pick<Overview, 'counts'>

const countsKey = ['overview', 'counts']

/**
 * What was read before the first event could arrive may have missed one. Of the list only the counts are read again: when
 * they are not what they were, the list has changed, and is read as a whole when nobody is at it.
 */
export async function catchUp(client: QueryClient, liveSinceMs: number): Promise<void> {
  const before = client.getQueryData<Counts>(countsKey)
  await client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      !isOfList(queryKey) && queryKey[0] !== 'session' && state.dataUpdatedAt > 0 && state.dataUpdatedAt < liveSinceMs,
  })
  const after = client.getQueryData<Counts>(countsKey)
  if (before !== undefined && JSON.stringify(before.counts) !== JSON.stringify(after?.counts)) noteUnnamedListChange()
}

const isOfList = ([kind, part]: QueryKey): boolean =>
  kind === 'overview' && (part === 'fleet' || part === 'rows' || part === 'uptime')
