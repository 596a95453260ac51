import { checkHistory, checkPhases } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { instantParam, uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { historyRange } from './history-range.ts'
import { readHistory } from './read-history.ts'
import { phaseRange, readPhases } from './read-phases.ts'

export function checkHistoryRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/checks/:id/history',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Check results'],
        summary: 'Read what became of the runs of a check in a range of at most 8 days',
        description:
          'Numbers of all runs, and of each location in buckets of time; when it was failing, degraded or not watched; when the check was changed.',
        params: z.object({ id: uuidParam('check') }),
        querystring: z.strictObject({
          from: instantParam().optional().describe('UNIX timestamp in seconds; 24 hours before `to` when not sent.'),
          to: instantParam().optional().describe('UNIX timestamp in seconds, not included; now when not sent.'),
        }),
        response: { 200: checkHistory },
      },
    },
    async ({ principal, params: { id }, query }) => {
      const range = historyRange(query, clock.now())
      const history = await readHistory(db, { ...range, account: principal.accountId, checkId: id })
      if (!history) throw notFound('check')
      return history
    },
  )

  app.get(
    '/v1/checks/:id/phases',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Check results'],
        summary: 'Read where the time of the runs of a check went, in a range of at most 6 hours',
        description: 'Median of each phase, of the runs of all locations, in buckets of time.',
        params: z.object({ id: uuidParam('check') }),
        querystring: z.strictObject({
          from: instantParam().optional().describe('UNIX timestamp in seconds; 6 hours before `to` when not sent.'),
          to: instantParam().optional().describe('UNIX timestamp in seconds, not included; now when not sent.'),
        }),
        response: { 200: checkPhases },
      },
    },
    async ({ principal, params: { id }, query }) => {
      const range = phaseRange(query, clock.now())
      const phases = await readPhases(db, { ...range, account: principal.accountId, checkId: id })
      if (!phases) throw notFound('check')
      return phases
    },
  )
}
