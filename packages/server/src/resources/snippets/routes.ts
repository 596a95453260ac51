import { snippetResponse, snippetWrite } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf, setEtag, withoutVersion } from '../../http/callers/verb-context.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { idParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { listSnippets, readSnippet } from './store.ts'
import { snippetVerbs } from './write-snippet.ts'

const tags = ['Snippets']
const params = z.object({ id: idParam('snippet') })

export function snippetRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
}

function readRoutes(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/snippets',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List snippets',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(snippetResponse) },
      },
    },
    async ({ principal: { accountId }, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { snippets, total } = await listSnippets(db.pool, accountId, page)
      setContentRange(reply, query, snippets.length, total)
      return snippets.map(withoutVersion)
    },
  )

  app.get(
    '/v1/snippets/:id',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a snippet', params, response: { 200: snippetResponse } },
    },
    async ({ principal: { accountId }, params: { id } }, reply) => {
      const snippet = await readSnippet(db.pool, accountId, id)
      if (!snippet) throw notFound('snippet')
      setEtag(reply, snippet.version)
      return withoutVersion(snippet)
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const snippets = snippetVerbs(deps)

  app.post(
    '/v1/snippets',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Create a snippet',
        description: '409 when the name is taken.',
        body: snippetWrite,
        response: { 201: snippetResponse },
      },
    },
    async (request, reply) => {
      const created = await snippets.create(contextOf(request), request.body)
      return setEtag(reply.code(201), created.version).send(withoutVersion(created))
    },
  )

  app.put(
    '/v1/snippets/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Replace a snippet', params, body: snippetWrite, response: { 200: snippetResponse } },
    },
    async (request, reply) => {
      const replaced = await snippets.replace(contextOf(request), request.params.id, request.body)
      return setEtag(reply, replaced.version).send(withoutVersion(replaced))
    },
  )

  app.delete(
    '/v1/snippets/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Delete a snippet',
        description: '409 naming the checks that use it.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await snippets.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
