import { alertNotificationResponse } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { offsetOf, setContentRange } from '../../http/schemas/paging.ts'
import { listQuery } from './list-query.ts'
import { listNotifications } from './store.ts'
import { windowOf } from './window.ts'

export function alertNotificationRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/alert-notifications',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Alert notifications'],
        summary: 'List notifications',
        querystring: listQuery,
        response: { 200: z.array(alertNotificationResponse) },
      },
    },
    async ({ principal: { accountId: account }, query }, reply) => {
      const { alertChannelId: channelId, hasFailures, checkId, checkResultId: resultId, includeSystem = false } = query
      const filter = {
        account,
        channelId,
        hasFailures,
        checkId,
        resultId,
        includeSystem,
        ...windowOf(query, clock.now()),
      }
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { notifications, total } = await listNotifications(db.pool, filter, page)
      setContentRange(reply, query, notifications.length, total)
      return notifications
    },
  )
}
