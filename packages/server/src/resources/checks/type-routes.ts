import { checkResult } from '@vedette/checks'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import { createCheck } from './verbs/create-check.ts'
import { withEventAddress } from './definition/event-address.ts'
import { autoAssignOnCreate, autoAssignOnUpdate, dryRunQuery, type TypeSchemas } from './schema.ts'
import { dryRunCheck } from './verbs/dry-run-check.ts'
import { updateCheck } from './verbs/update-check.ts'

const tags = ['Checks']
const params = z.object({ id: uuidParam('check') })

/** Routes to create, change and dry-run checks of one type. */
export function checkTypeRoutes(app: App, deps: ApiDeps, schemas: TypeSchemas): void {
  const { type, response } = schemas
  const [create, update] = [createCheck(deps), updateCheck(deps)]
  const shown = withEventAddress(deps.baseUrl)
  const config = { access: 'write', secretPaths: type.secretPaths } as const

  app.post(
    `/v1/checks/${type.path}`,
    {
      config,
      schema: {
        tags,
        summary: `Create a check of type ${type.title}`,
        querystring: autoAssignOnCreate,
        body: schemas.create,
        response: { 201: response },
      },
    },
    async (request, reply) => {
      const { autoAssignAlerts } = request.query
      const { check, version } = await create(contextOf(request), { type, sent: request.body, autoAssignAlerts })
      return setEtag(reply.code(201), version).send(shown(check))
    },
  )

  app.put(
    `/v1/checks/${type.path}/:id`,
    {
      config,
      schema: {
        tags,
        summary: `Change a check of type ${type.title}`,
        description: 'Merges what is sent. Nested objects and lists that are sent replace the stored ones.',
        params,
        querystring: autoAssignOnUpdate,
        body: schemas.update,
        response: { 200: response },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { autoAssignAlerts } = request.query
      const change = { type, id, sent: request.body, autoAssignAlerts }
      const { check, version } = await update(contextOf(request), change)
      return setEtag(reply, version).send(shown(check))
    },
  )

  if (type.dryRun) dryRunRoute(app, deps, schemas)
}

function dryRunRoute(app: App, deps: ApiDeps, { type, create }: TypeSchemas): void {
  const dryRun = dryRunCheck(deps)
  app.post(
    `/v1/checks/${type.path}/dry-run`,
    {
      config: { access: 'write', secretPaths: type.secretPaths, errors: [404, 408, 503] },
      schema: {
        tags,
        summary: `Run a check of type ${type.title} once without saving it`,
        description:
          'Answers the result, or 408 when no agent answered in time. Nothing is stored and nobody is notified.',
        querystring: dryRunQuery,
        body: create,
        response: { 200: checkResult },
      },
    },
    (request) => {
      const { checkId, location } = request.query
      return dryRun(contextOf(request), { type, sent: request.body, checkId, location })
    },
  )
}
