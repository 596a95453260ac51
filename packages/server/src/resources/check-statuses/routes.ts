import { checkStatusResponse } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { sendJson } from '../../http/send-json.ts'
import { writtenByHand } from '../../http/schemas/serializer.ts'
import { statusAsJson, statusesAsJson } from './store.ts'

const tags = ['Check statuses']
const status = writtenByHand(checkStatusResponse)
const statusList = writtenByHand(z.array(status))

export function checkStatusRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/check-statuses',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List check statuses', response: { 200: statusList } },
    },
    async ({ principal }, reply) =>
      sendJson(reply, await statusesAsJson(db.pool, principal.accountId, new Date(clock.now()))),
  )

  app.get(
    '/v1/check-statuses/:checkId',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read the status of a check',
        params: z.object({ checkId: uuidParam('check') }),
        response: { 200: status },
      },
    },
    async ({ principal, params }, reply) => {
      const of = { account: principal.accountId, checkId: params.checkId }
      const text = await statusAsJson(db.pool, of, new Date(clock.now()))
      if (text === undefined) throw notFound('check')
      return sendJson(reply, text)
    },
  )
}
