import { checkTrigger } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { callRoutes } from './call-routes.ts'
import { triggerStore } from './store.ts'
import { toTrigger, triggerVerbs } from './write-trigger.ts'

const tags = ['Triggers']
const params = z.object({ checkId: uuidParam('check') })
const url = '/v1/triggers/checks/:checkId'

export function checkTriggerRoutes(app: App, deps: ApiDeps): void {
  const triggers = triggerVerbs(deps)
  const store = triggerStore(deps.vault)
  app.get(
    url,
    {
      // Whoever reads the token can run the check.
      config: { access: 'run' },
      schema: { tags, summary: 'Read the trigger of a check', params, response: { 200: checkTrigger } },
    },
    async ({ principal, params: { checkId } }) => {
      const stored = await store.read(deps.db.pool, checkId, principal.accountId)
      if (!stored) throw notFound('trigger')
      return toTrigger(stored, deps.baseUrl())
    },
  )

  app.post(
    url,
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Give a check an address that runs it without a key',
        description: '409 when it has one: delete it to get another token.',
        params,
        body: z.strictObject({}).nullish(),
        response: { 201: checkTrigger },
      },
    },
    async (request, reply) => reply.code(201).send(await triggers.create(contextOf(request), request.params.checkId)),
  )

  app.delete(
    url,
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete the trigger of a check', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await triggers.remove(contextOf(request), request.params.checkId)
      return reply.code(204).send()
    },
  )

  void app.register((scope) => callRoutes(scope as App, deps))
}
