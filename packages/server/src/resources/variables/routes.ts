import { variableCreate, variableResponse, variableUpdate } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { contextOf, setEtag, withoutVersion } from '../../http/callers/verb-context.ts'
import { variableStore } from './store.ts'
import { variableVerbs } from './write-variable.ts'

const tags = ['Variables']
const params = z.object({ key: z.string() })
const write = { access: 'write', secretPaths: ['value'] } as const

export function variableRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
}

function readRoutes(app: App, { db, vault }: ApiDeps): void {
  const store = variableStore(vault)

  app.get(
    '/v1/variables',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List variables',
        querystring: z.strictObject({
          ...pageQuery,
          search: z.string().min(1).max(255).optional().describe('Only those with this in their name, in any case.'),
        }),
        response: { 200: z.array(variableResponse) },
      },
    },
    async ({ principal, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const of = { account: principal.accountId, search: query.search }
      const { variables, total } = await store.list(db.pool, of, page)
      setContentRange(reply, query, variables.length, total)
      return variables.map(withoutVersion)
    },
  )

  app.get(
    '/v1/variables/:key',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a variable', params, response: { 200: variableResponse } },
    },
    async ({ principal, params: { key } }, reply) => {
      const variable = await store.read(db.pool, principal.accountId, key)
      if (!variable) throw notFound('variable')
      setEtag(reply, variable.version)
      return withoutVersion(variable)
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const variables = variableVerbs(deps)

  app.post(
    '/v1/variables',
    {
      config: write,
      schema: { tags, summary: 'Create a variable', body: variableCreate, response: { 201: variableResponse } },
    },
    async (request, reply) => {
      const created = await variables.create(contextOf(request), request.body)
      return setEtag(reply.code(201), created.version).send(withoutVersion(created))
    },
  )

  app.put(
    '/v1/variables/:key',
    {
      config: write,
      schema: { tags, summary: 'Change a variable', params, body: variableUpdate, response: { 200: variableResponse } },
    },
    async (request, reply) => {
      const updated = await variables.update(contextOf(request), request.params.key, request.body)
      return setEtag(reply, updated.version).send(withoutVersion(updated))
    },
  )

  app.delete(
    '/v1/variables/:key',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete a variable', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await variables.remove(contextOf(request), request.params.key)
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/variables/:key/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Bring back a variable that was deleted in the last 24 hours',
        description: 'Not when another one has its name since.',
        params,
        body: emptyBody,
        response: { 200: variableResponse },
      },
    },
    async (request, reply) => {
      const restored = await variables.restore(contextOf(request), request.params.key)
      return setEtag(reply, restored.version).send(withoutVersion(restored))
    },
  )
}
