import { apiKeyCreate, apiKeyCreated, apiKeyResponse } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { listApiKeys } from './store.ts'
import { apiKeyVerbs } from './write-api-key.ts'

const tags = ['API keys']

export function apiKeyRoutes(app: App, deps: ApiDeps): void {
  const { db } = deps
  const keys = apiKeyVerbs(deps)

  app.get(
    '/v1/api-keys',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'List API keys',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(apiKeyResponse) },
      },
    },
    async ({ principal, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const found = await listApiKeys(db.pool, principal.accountId, page)
      setContentRange(reply, query, found.keys.length, found.total)
      return found.keys
    },
  )

  app.post(
    '/v1/api-keys',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Create an API key', body: apiKeyCreate, response: { 201: apiKeyCreated } },
    },
    async (request, reply) => reply.code(201).send(await keys.create(contextOf(request), request.body)),
  )

  app.delete(
    '/v1/api-keys/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Revoke an API key',
        params: z.object({ id: uuidParam('API key') }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await keys.revoke(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
