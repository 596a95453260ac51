import { checkFacts } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { readFacts } from './read-facts.ts'

export function checkFactsRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/checks/:id/facts',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Check statuses'],
        summary:
          'Read how long the certificate of a check is valid, which parent holds its alert back, and who changed the check last',
        params: z.object({ id: uuidParam('check') }),
        response: { 200: checkFacts },
      },
    },
    async ({ principal: { accountId: account }, params: { id: checkId } }) => {
      const facts = await readFacts(db.pool, { account, checkId }, clock.now())
      if (!facts) throw notFound('check')
      return facts
    },
  )
}
