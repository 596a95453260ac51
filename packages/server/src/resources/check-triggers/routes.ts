import { checkGroupTrigger, checkTrigger } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { callRoutes } from './call-routes.ts'
import { triggerStore } from './store.ts'
import { triggerKinds, type TriggerKind } from './trigger-kind.ts'
import { toTrigger, triggerVerbs } from './write-trigger.ts'

const tags = ['Triggers']

export function checkTriggerRoutes(app: App, deps: ApiDeps): void {
  for (const kind of triggerKinds) {
    kindRoutes(app, deps, kind)
    void app.register((scope) => callRoutes(scope as App, deps, kind))
  }
}

function kindRoutes(app: App, deps: ApiDeps, kind: TriggerKind): void {
  const triggers = triggerVerbs(kind, deps)
  const store = triggerStore(kind, deps.vault)
  const url = `/v1/triggers/${kind.path}/:${kind.field}`
  const params = z.object({ [kind.field]: kind.idSchema })
  const answer: z.ZodType = kind.field === 'checkId' ? checkTrigger : checkGroupTrigger
  const targetOf = (sent: Record<string, string | number>) => sent[kind.field] ?? ''

  app.get(
    url,
    {
      // Whoever reads the token can run what it runs.
      config: { access: 'run' },
      schema: { tags, summary: `Read the trigger of a ${kind.noun}`, params, response: { 200: answer } },
    },
    async ({ principal, params: sent }) => {
      const stored = await store.read(deps.db.pool, targetOf(sent), principal.accountId)
      if (!stored) throw notFound('trigger')
      return toTrigger(kind, stored, deps.baseUrl())
    },
  )

  app.post(
    url,
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: `Give a ${kind.noun} an address that runs it without a key`,
        description: '409 when it has one: delete it to get another token.',
        params,
        body: emptyBody,
        response: { 201: answer },
      },
    },
    async (request, reply) => reply.code(201).send(await triggers.create(contextOf(request), targetOf(request.params))),
  )

  app.delete(
    url,
    {
      config: { access: 'write' },
      schema: { tags, summary: `Delete the trigger of a ${kind.noun}`, params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await triggers.remove(contextOf(request), targetOf(request.params))
      return reply.code(204).send()
    },
  )
}
