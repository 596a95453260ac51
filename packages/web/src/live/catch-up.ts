import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Overview } from '@vedette/wire'

type Counts = Pick<Overview, 'counts'>

const countsKey = ['overview', 'counts']

/**
 * What was read before the first event could arrive may have missed one. Of the list only the counts are read again: it
 * is read as a whole when they are not what they were.
 */
export async function catchUp(client: QueryClient, liveSinceMs: number): Promise<void> {
  const before = client.getQueryData<Counts>(countsKey)
  await client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      !isOfList(queryKey) && queryKey[0] !== 'session' && state.dataUpdatedAt > 0 && state.dataUpdatedAt < liveSinceMs,
  })
  const after = client.getQueryData<Counts>(countsKey)
  if (before === undefined || JSON.stringify(before.counts) === JSON.stringify(after?.counts)) return
  for (const part of ['fleet', 'rows']) void client.invalidateQueries({ queryKey: ['overview', part] })
}

const isOfList = ([kind, part]: QueryKey): boolean =>
  kind === 'overview' && (part === 'fleet' || part === 'rows' || part === 'uptime')
