import {
  checkStates,
  checkUptime,
  overviewParts,
  overviewResponse,
  type CheckState,
  type OverviewAnswer,
} from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import { listParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import type { OverviewFilter } from './matching-store.ts'
import { overviewQuery, type OverviewQuery } from './overview-query.ts'
import { overviewStore } from './store.ts'
import type { UptimeHours } from './uptime/uptime-hours.ts'

const tags = ['Check statuses']

export interface OverviewDeps extends Pick<ApiDeps, 'db' | 'clock'> {
  uptime: Pick<UptimeHours, 'of'>
}

export function overviewRoutes(app: App, { db, clock, uptime }: OverviewDeps): void {
  const store = overviewStore(db)
  app.get('/v1/overview', {
    schema: {
      summary: 'Checks with their state and last runs, trouble first',
      tags,
      querystring: overviewQuery,
      response: { 200: overviewResponse },
    },
    config: { access: 'read' },
    handler: ({ query, principal }) => answer(store, query, { accountId: principal.accountId, nowMs: clock.now() }),
  })

  app.get('/v1/overview/uptime', {
    schema: {
      summary: 'How often checks were up in the last 24 hours',
      description: 'Counted from the full hour. Checks that the account does not have are left out.',
      tags,
      querystring: z.strictObject({ checkId: listParam(z.guid()).describe('At most 100 checks.') }),
      response: { 200: z.array(checkUptime) },
    },
    config: { access: 'read' },
    handler: ({ query, principal }) => uptime.of(principal.accountId, query.checkId),
  })
}

type Store = ReturnType<typeof overviewStore>

async function answer(
  store: Store,
  query: OverviewQuery,
  of: { accountId: string; nowMs: number },
): Promise<OverviewAnswer> {
  const { with: parts = overviewParts, sort, groupBy, limit, page } = query
  const filter = filterOf(query, of)
  return {
    serverTime: new Date(of.nowMs).toISOString(),
    ...(parts.includes('counts') && counted(await store.counts(filter), filter.states)),
    ...(parts.includes('tags') && { tags: await store.tags(of.accountId) }),
    ...(parts.includes('items') && { items: await store.page(filter, { sort, limit, page }) }),
    ...(parts.includes('groups') && groupBy !== 'none' && { groups: await store.groups(filter, groupBy) }),
  }
}

const filterOf = (
  { tag, type, state, search, untagged, host, group, ungrouped, muted, section, checkId }: OverviewQuery,
  of: { accountId: string; nowMs: number },
): OverviewFilter => ({
  ...of,
  search,
  untagged,
  host,
  group,
  ungrouped,
  muted,
  section,
  checkId,
  tags: tag ?? [],
  types: type ?? [],
  states: state ?? [],
})

/** Counts are of all states, so that a reader sees what the other states would show. */
function counted(counts: Partial<Record<CheckState, number>>, wanted: readonly CheckState[]) {
  const states = wanted.length === 0 ? checkStates : wanted
  return { counts, total: states.reduce<number>((sum, each) => sum + (counts[each] ?? 0), 0) }
}
