import { checkStatusResponse } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { sendJson } from '../../http/send-json.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { writerOf, writtenByHand } from '../../http/schemas/serializer.ts'
import { readStatus, readStatuses } from './store.ts'
import { toStatus } from './to-status.ts'

const tags = ['Check statuses']
/** Written piece by piece, so that ten thousand hold up nothing else for long. */
const writeStatus = writerOf(checkStatusResponse)
const statusList = writtenByHand(z.array(checkStatusResponse))

export function checkStatusRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/check-statuses',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List check statuses', response: { 200: statusList } },
    },
    async ({ principal: { accountId } }, reply) => {
      const now = clock.now()
      const { slugOf } = await readLocationSlugs(db.pool, accountId)
      const texts: string[] = []
      for await (const piece of readStatuses(db.pool, accountId))
        texts.push(...piece.map((row) => writeStatus(toStatus(row, slugOf, now))))
      return sendJson(reply, `[${texts.join(',')}]`)
    },
  )

  app.get(
    '/v1/check-statuses/:checkId',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read the status of a check',
        params: z.object({ checkId: uuidParam('check') }),
        response: { 200: checkStatusResponse },
      },
    },
    async ({ principal, params }) => {
      const row = await readStatus(db.pool, { account: principal.accountId, checkId: params.checkId })
      if (!row) throw notFound('check')
      const { slugOf } = await readLocationSlugs(db.pool, principal.accountId)
      return toStatus(row, slugOf, clock.now())
    },
  )
}
