import { z } from 'zod'
import { conflict, notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { checkIfMatch, setEtag } from '../../http/etag.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/paging.ts'
import { variableCreate, variableResponse, variableUpdate } from './schema.ts'
import { variableStore } from './store.ts'

const tags = ['Variables']
const params = z.object({ key: z.string() })
const write = { access: 'write', secretPaths: ['value'] } as const

export function variableRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
  deleteRoute(app, deps)
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
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(variableResponse) },
      },
    },
    async ({ principal, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { variables, total } = await store.list(db.pool, principal.accountId, page)
      setContentRange(reply, query, variables.length, total)
      return variables
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
      if (!variable) throw notFound('The variable')
      setEtag(reply, variable.version)
      return variable
    },
  )
}

function writeRoutes(app: App, { db, vault, clock, hooks }: ApiDeps): void {
  const store = variableStore(vault)

  app.post(
    '/v1/variables',
    {
      config: write,
      schema: { tags, summary: 'Create a variable', body: variableCreate, response: { 201: variableResponse } },
    },
    async (request, reply) => {
      const { key, value, locked = false, secret = false } = request.body
      const created = await db.transaction(async (client) => {
        const at = new Date(clock.now())
        const row = await store.insert(client, request.principal.accountId, { key, value, locked, secret, at })
        if (!row) throw conflict(`A variable named "${key}" exists already.`)
        await audit(client, request, { action: 'create', resource: 'variables', id: key }, clock.now())
        return row
      })
      hooks.variablesChanged(request.principal.accountId)
      return setEtag(reply.code(201), created.version).send(created)
    },
  )

  app.put(
    '/v1/variables/:key',
    {
      config: write,
      schema: { tags, summary: 'Change a variable', params, body: variableUpdate, response: { 200: variableResponse } },
    },
    async (request, reply) => {
      const { accountId } = request.principal
      const updated = await db.transaction(async (client) => {
        const stored = await store.read(client, accountId, request.params.key, true)
        if (!stored) throw notFound('The variable')
        checkIfMatch(request, stored.version)
        const { value, locked = stored.locked, secret = false } = request.body
        const change = { key: stored.key, value, locked, secret: stored.secret || secret, at: new Date(clock.now()) }
        await audit(client, request, { action: 'update', resource: 'variables', id: stored.key }, clock.now())
        return store.update(client, accountId, change)
      })
      if (!updated) throw notFound('The variable')
      hooks.variablesChanged(request.principal.accountId)
      return setEtag(reply, updated.version).send(updated)
    },
  )
}

function deleteRoute(app: App, { db, vault, clock, hooks }: ApiDeps): void {
  const store = variableStore(vault)

  app.delete(
    '/v1/variables/:key',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete a variable', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const { accountId } = request.principal
      await db.transaction(async (client) => {
        const stored = await store.read(client, accountId, request.params.key, true)
        if (!stored) throw notFound('The variable')
        checkIfMatch(request, stored.version)
        await store.remove(client, accountId, stored.key)
        await audit(client, request, { action: 'delete', resource: 'variables', id: stored.key }, clock.now())
      })
      hooks.variablesChanged(request.principal.accountId)
      return reply.code(204).send()
    },
  )
}
