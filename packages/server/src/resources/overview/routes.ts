import { checkStates, type CheckState } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { pageQuery } from '../../http/paging.ts'
import { listParam } from '../../http/query.ts'
import { overviewStore } from './store.ts'

const nullableTime = z.string().nullable()

const overviewRow = z.object({
  checkId: z.string(),
  name: z.string(),
  checkType: z.string(),
  action: z.string().describe('What the check does, in one line.'),
  host: z.string().describe('Host it looks at.'),
  tags: z.array(z.string()),
  activated: z.boolean(),
  muted: z.boolean(),
  state: z.enum(checkStates),
  stateSince: nullableTime,
  cause: z.string().nullable(),
  lastRunAt: nullableTime,
  lastPassAt: nullableTime,
  lastResultId: z.string().nullable(),
  lastRunLocation: z.string().nullable(),
  failingLocations: z.array(z.string()),
  locationCount: z.int().describe('Locations it runs from; 0 means the default of the account.'),
  periodMs: z.number().nullable().describe('Milliseconds between runs; null when it has no period.'),
  overlaps: z.int(),
  notRunnable: z.string().nullable(),
  runs: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      outcome: z.enum(['pass', 'fail', 'unknown']),
      degraded: z.boolean(),
      ms: z.number().nullable(),
      location: z.string().nullable(),
    }),
  ),
})

const overviewResponse = z.object({
  serverTime: z.string(),
  counts: z.partialRecord(z.enum(checkStates), z.int()),
  total: z.int(),
  tags: z.array(z.string()),
  items: z.array(overviewRow),
})

const overviewQuery = z.strictObject({
  ...pageQuery,
  search: z.string().min(1).max(255).optional().describe('Part of the name or target.'),
  tag: listParam(z.string()).optional().describe('Checks with at least one of the tags.'),
  state: listParam(z.enum(checkStates)).optional(),
  checkId: z.guid().optional().describe('This check alone.'),
})

export function overviewRoutes(app: App, { db, clock }: ApiDeps): void {
  const store = overviewStore(db)
  app.get('/v1/overview', {
    schema: {
      summary: 'Checks with their state and last runs, trouble first',
      tags: ['Check statuses'],
      querystring: overviewQuery,
      response: { 200: overviewResponse },
    },
    config: { access: 'read' },
    handler: async (request) => {
      const { search, tag, state, checkId, limit, page } = request.query
      const nowMs = clock.now()
      const { accountId } = request.principal
      const filter = { accountId, nowMs, search, tags: tag ?? [], states: state ?? [], checkId, limit, page }
      const counts = await store.counts(filter)
      const states: readonly CheckState[] = filter.states.length === 0 ? checkStates : filter.states
      return {
        serverTime: new Date(nowMs).toISOString(),
        counts,
        total: states.reduce<number>((sum, each) => sum + (counts[each] ?? 0), 0),
        tags: await store.tags(accountId),
        items: await store.page(filter),
      }
    },
  })
}
