import { savedView, savedViewCreate } from '@vedette/wire'
import { z } from 'zod'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { listViews } from './store.ts'
import { viewVerbs } from './write-view.ts'

const tags = ['Saved views']

export function savedViewRoutes(app: App, deps: ApiDeps): void {
  const views = viewVerbs(deps)
  app.get(
    '/v1/saved-views',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List the saved views of the list of checks', response: { 200: z.array(savedView) } },
    },
    ({ principal: { accountId } }) => listViews(deps.db.pool, accountId),
  )

  app.post(
    '/v1/saved-views',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Save a view for everybody of the account',
        description: 'At most 100. 409 when the name is taken.',
        body: savedViewCreate,
        response: { 201: savedView },
      },
    },
    async (request, reply) => reply.code(201).send(await views.create(contextOf(request), request.body)),
  )

  app.delete(
    '/v1/saved-views/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Delete a saved view',
        params: z.object({ id: uuidParam('saved view') }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await views.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
