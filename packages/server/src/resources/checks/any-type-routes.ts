import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { parseBody } from '../../http/schemas/validation.ts'
import { sendJson } from '../../http/send-json.ts'
import type { ApiDeps } from '../api-deps.ts'
import { withEventAddress } from './definition/event-address.ts'
import {
  anyCheck,
  anyCreate,
  anyUpdate,
  autoAssignOnCreate,
  autoAssignOnUpdate,
  schemasOf,
  typeSchemas,
  writeCheck,
} from './schema.ts'
import { readCheck } from './store.ts'
import { createCheck } from './verbs/create-check.ts'
import { updateCheck } from './verbs/update-check.ts'

const documented = { tags: ['Checks'], deprecated: true }
const config = { access: 'write', secretPaths: typeSchemas.flatMap(({ type }) => type.secretPaths) } as const

/** Routes to create and change checks of any type, which the body names. They do what those of the types do. */
export function anyTypeRoutes(app: App, deps: ApiDeps): void {
  createRoute(app, deps)
  updateRoute(app, deps)
}

function createRoute(app: App, deps: ApiDeps): void {
  const create = createCheck(deps)
  const shown = withEventAddress(deps.baseUrl)
  app.post(
    '/v1/checks',
    {
      config,
      schema: {
        ...documented,
        summary: 'Create a check of the type that `checkType` names',
        description: 'Use the route of the type instead.',
        querystring: autoAssignOnCreate,
        body: anyCreate,
        response: { 201: anyCheck },
      },
    },
    async (request, reply) => {
      const { checkType, ...sent } = request.body
      const { type } = schemasOf(String(checkType))
      const { autoAssignAlerts } = request.query
      const { check, version } = await create(contextOf(request), { type, sent, autoAssignAlerts })
      setEtag(reply.code(201), version)
      return sendJson(reply, writeCheck(shown(check)))
    },
  )
}

/** The stored check decides by which type the body is read. */
function updateRoute(app: App, deps: ApiDeps): void {
  const update = updateCheck(deps)
  const shown = withEventAddress(deps.baseUrl)
  app.put(
    '/v1/checks/:id',
    {
      config,
      schema: {
        ...documented,
        summary: 'Change a check of any type',
        description: 'Use the route of the type instead. Merges what is sent; `checkType` cannot be changed.',
        params: z.object({ id: uuidParam('check') }),
        querystring: autoAssignOnUpdate,
        body: anyUpdate,
        response: { 200: anyCheck },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const stored = await readCheck(deps.db.pool, request.principal.accountId, id)
      if (!stored) throw notFound('check')
      const { type, updateOfSameType } = schemasOf(stored.type)
      const { checkType: _, ...sent } = parseBody(updateOfSameType, request.body)
      const { autoAssignAlerts } = request.query
      const { check, version } = await update(contextOf(request), { type, id, sent, autoAssignAlerts })
      setEtag(reply, version)
      return sendJson(reply, writeCheck(shown(check)))
    },
  )
}
