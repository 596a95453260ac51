import { randomUUID } from 'node:crypto'
import { roles } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/paging.ts'
import { uuidParam } from '../../http/query.ts'
import { mintToken } from '../../access/secret-token.ts'
import { insertApiKey, listApiKeys, revokeApiKey } from './store.ts'

const tags = ['API keys']

const fields = {
  id: z.string(),
  name: z.string(),
  role: z.enum(roles).describe('What the key may do; each role includes the ones before it.'),
  maskedKey: z.string().describe('The last characters of the key.'),
  created_at: z.string(),
}
const apiKeyResponse = z.object(fields).meta({ id: 'ApiKey' })
const apiKeyCreate = z.strictObject({ name: z.string().min(1).max(255), role: z.enum(roles) })
const apiKeyCreated = z.object({
  ...fields,
  rawKey: z.string().describe('The key itself. Shown here and never again.'),
})

export function apiKeyRoutes(app: App, { db, clock, authenticate }: ApiDeps): void {
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
      const { keys, total } = await listApiKeys(db.pool, principal.accountId, page)
      setContentRange(reply, query, keys.length, total)
      return keys
    },
  )

  app.post(
    '/v1/api-keys',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Create an API key', body: apiKeyCreate, response: { 201: apiKeyCreated } },
    },
    async (request, reply) => {
      const { raw, hash, masked } = mintToken('vdu_')
      const id = randomUUID()
      const created = await db.transaction(async (client) => {
        await audit(client, request, { action: 'create', resource: 'api-keys', id }, clock.now())
        const key = { id, ...request.body, hash, masked, at: new Date(clock.now()) }
        return insertApiKey(client, request.principal.accountId, key)
      })
      return reply.code(201).send({ ...created, rawKey: raw })
    },
  )

  app.delete(
    '/v1/api-keys/:id',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Revoke an API key',
        params: z.object({ id: uuidParam() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await db.transaction(async (client) => {
        const revoked = await revokeApiKey(client, request.principal.accountId, id, new Date(clock.now()))
        if (!revoked) throw notFound('The API key')
        await audit(client, request, { action: 'revoke', resource: 'api-keys', id }, clock.now())
      })
      authenticate.forget()
      return reply.code(204).send()
    },
  )
}
