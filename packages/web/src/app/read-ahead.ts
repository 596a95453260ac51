import { fleetQuery, rowsQuery } from '../api/overview.ts'
import { healthQuery } from '../components/system/health-query.ts'
import type { ChecksSearch } from './checks-search.ts'
import { countsQuery } from './frame/worst-state.ts'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

// The first page asks for what it shows together with the session, not after it. Whoever shows a part that could not be
// read asks for it again.
const isFirst = () => queryClient.getQueryData(sessionQuery.queryKey) === undefined

/** What the frame of every page shows. */
export function readFrameAhead(): void {
  if (!isFirst()) return
  for (const query of [sessionQuery, countsQuery, healthQuery]) void queryClient.prefetchQuery<unknown>(query)
}

/** What the list of checks shows first. */
export function readListAhead(search: ChecksSearch): void {
  if (!isFirst()) return
  void queryClient.prefetchQuery(fleetQuery(search))
  if (search.group !== undefined) return
  for (const section of ['trouble', 'passing']) void queryClient.prefetchQuery(rowsQuery(search, { section }, 0))
}
