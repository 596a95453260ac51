import { checkAlertResponse, type CheckAlert } from '@vedette/wire'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { instantParam, uuidParam } from '../../http/schemas/query.ts'
import { sixHourWindow } from '../../http/schemas/six-hour-window.ts'
import type { ApiDeps } from '../api-deps.ts'
import { checkExists, listAlerts } from './store.ts'

const tags = ['Check alerts']
const listQuery = z.strictObject({
  ...pageQuery,
  from: instantParam().optional().describe('UNIX timestamp in seconds, included. Six hours before `to` when not sent.'),
  to: instantParam()
    .optional()
    .describe('UNIX timestamp in seconds, not included. Now, or six hours after `from`, when not sent.'),
})
const description = 'Newest first. The window is at most six hours long.'

export function checkAlertRoutes(app: App, { db, clock }: ApiDeps): void {
  const answer = async (
    reply: FastifyReply,
    { account, checkId }: { account: string; checkId: string | null },
    query: z.infer<typeof listQuery>,
  ): Promise<CheckAlert[]> => {
    const { from, to } = sixHourWindow(query, clock.now())
    const of = { account, checkId, from: new Date(from), to: new Date(to) }
    const { alerts, total } = await listAlerts(db.pool, of, { limit: query.limit, offset: offsetOf(query) })
    setContentRange(reply, query, alerts.length, total)
    return alerts
  }

  app.get(
    '/v1/check-alerts',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List alerts of all checks',
        description,
        querystring: listQuery,
        response: { 200: z.array(checkAlertResponse) },
      },
    },
    ({ principal: { accountId: account }, query }, reply) => answer(reply, { account, checkId: null }, query),
  )

  app.get(
    '/v1/check-alerts/:checkId',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List alerts of a check',
        description,
        params: z.object({ checkId: uuidParam('check') }),
        querystring: listQuery,
        response: { 200: z.array(checkAlertResponse) },
      },
    },
    async ({ principal: { accountId: account }, params: { checkId }, query }, reply) => {
      if (!(await checkExists(db.pool, account, checkId))) throw notFound('check')
      return answer(reply, { account, checkId }, query)
    },
  )
}
