import { coverageGapResponse } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { instantParam } from '../../http/schemas/query.ts'
import { invalidField } from '../../api-error.ts'
import { listCoverageGaps } from './store.ts'

const dayMs = 86_400_000

export function coverageGapRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/coverage-gaps',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Check statuses'],
        summary: 'List times in which nothing was checked, newest first',
        description: 'Downtime of Vedette itself or of a location. One entry per gap, whatever the number of checks.',
        querystring: z.strictObject({
          ...pageQuery,
          from: instantParam().optional().describe('UNIX timestamp; 24 hours ago when not sent.'),
          to: instantParam().optional().describe('UNIX timestamp; now when not sent.'),
        }),
        response: { 200: z.array(coverageGapResponse) },
      },
    },
    async ({ principal, query }, reply) => {
      const to = query.to ?? clock.now()
      const from = query.from ?? to - dayMs
      if (from >= to) throw invalidField('from', 'must be before "to"', 'query')
      const { limit, page } = query
      const found = await listCoverageGaps(db, {
        accountId: principal.accountId,
        from: new Date(from),
        to: new Date(to),
        limit,
        page,
      })
      setContentRange(reply, { limit, page }, found.gaps.length, found.total)
      return found.gaps
    },
  )
}
