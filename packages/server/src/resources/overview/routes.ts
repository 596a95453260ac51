import { checkStates, overviewResponse, uuidOf, type CheckState } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { pageQuery } from '../../http/schemas/paging.ts'
import { listParam } from '../../http/schemas/query.ts'
import { overviewStore } from './store.ts'

const overviewQuery = z.strictObject({
  ...pageQuery,
  search: z.string().min(1).max(255).optional().describe('Part of the name or target.'),
  tag: listParam(z.string()).optional().describe('Checks with at least one of the tags.'),
  state: listParam(z.enum(checkStates)).optional(),
  checkId: uuidOf('a check').optional().describe('This check alone.'),
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
