import { checkEpisodeResponse } from '@vedette/wire'
import { z } from 'zod'
import { invalidField, notFound } from '../../api-error.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { instantParam, uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { acknowledge, withdrawAcknowledgement } from './acknowledge.ts'
import { listEpisodes, readVersion, toEpisodes } from './store.ts'

const tags = ['Check statuses']
const params = z.object({ id: uuidParam('check') })

const listQuery = z.strictObject({
  ...pageQuery,
  from: instantParam().optional().describe('UNIX timestamp: those that lasted then or later.'),
  to: instantParam().optional().describe('UNIX timestamp: those that began before.'),
})

export function checkEpisodeRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps)
  acknowledgeRoutes(app, deps)
}

function listRoute(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/checks/:id/episodes',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List the times in which a check was failing or degraded, newest first',
        description: 'A check that gets worse or better without being well begins another episode.',
        params,
        querystring: listQuery,
        response: { 200: z.array(checkEpisodeResponse) },
      },
    },
    async ({ principal: { accountId: account }, params: { id: checkId }, query }, reply) => {
      const from = query.from === undefined ? null : new Date(query.from)
      const to = query.to === undefined ? null : new Date(query.to)
      if (from && to && from >= to) throw invalidField('from', 'must be before "to"', 'query')
      if (!(await readVersion(db.pool, { account, checkId }))) throw notFound('check')
      const filter = { account, checkId, from, to }
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { episodes, total } = await listEpisodes(db.pool, filter, page)
      setContentRange(reply, query, episodes.length, total)
      return toEpisodes(db.pool, episodes, clock.now())
    },
  )
}

function acknowledgeRoutes(app: App, deps: ApiDeps): void {
  const [take, withdraw] = [acknowledge(deps), withdrawAcknowledgement(deps)]
  app.post(
    '/v1/checks/:id/acknowledge',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Acknowledge that a check is failing or degraded',
        description:
          'Says that the caller cares for it, and stops its reminders until it is over. It ends with the recovery, and when a degraded check begins to fail. 409 when nothing is wrong now.',
        params,
        body: emptyBody,
        response: { 200: checkEpisodeResponse },
      },
    },
    (request) => take(contextOf(request), request.params.id),
  )

  app.delete(
    '/v1/checks/:id/acknowledge',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Take an acknowledgement back', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await withdraw(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
