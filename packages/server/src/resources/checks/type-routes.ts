import { completeDefinition, mergeDefinition, type Definition } from '@vedette/checks'
import type { LocationId } from '@vedette/wire'
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { conflict, notFound, timedOut } from '../../http/api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { setEtag } from '../../http/etag.ts'
import { uuidParam } from '../../http/query.ts'
import { locationToRunAt, readLocationSlugs } from '../../locations/location-param.ts'
import { resolveCheck } from '../../settings/resolve-check.ts'
import { readAccountSettings } from '../../settings/store.ts'
import { createCheck } from './create-check.ts'
import { notRunnableReason } from './not-runnable.ts'
import { autoAssignOnCreate, autoAssignOnUpdate, dryRunQuery, type TypeSchemas } from './schema.ts'
import { unsealDefinition } from './sealed-definition.ts'
import { withIds, withSlugs } from './shown-locations.ts'
import { readCheck } from './store.ts'
import { readShownWith, toCheck } from './to-check.ts'
import { changeCheck } from './update-check.ts'
import { validateDefinition } from './validate-definition.ts'

const tags = ['Checks']
const params = z.object({ id: uuidParam() })
type Sent = Record<string, unknown>

/** Create, change and try a check of one type: the same routes for every type that is built. */
export function checkTypeRoutes(app: App, deps: ApiDeps, schemas: TypeSchemas): void {
  const { type, create, update, response } = schemas
  const config = { access: 'write', secretPaths: type.secretPaths } as const

  app.post(
    `/v1/checks/${type.path}`,
    {
      config,
      schema: {
        tags,
        summary: `Create a check of type ${type.title}`,
        querystring: autoAssignOnCreate,
        body: create,
        response: { 201: response },
      },
    },
    async (request, reply) => {
      const { autoAssignAlerts } = request.query
      const id = await createCheck(deps, request, { type, sent: request.body, autoAssignAlerts })
      const { check, version } = await readAnswer(deps, request, id)
      return setEtag(reply.code(201), version).send(check)
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
        body: update,
        response: { 200: response },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { autoAssignAlerts } = request.query
      await changeCheck(deps, request, { type, id, sent: request.body, autoAssignAlerts })
      const { check, version } = await readAnswer(deps, request, id)
      return setEtag(reply, version).send(check)
    },
  )

  dryRunRoute(app, deps, schemas)
}

function dryRunRoute(app: App, deps: ApiDeps, { type, create }: TypeSchemas): void {
  app.post(
    `/v1/checks/${type.path}/dry-run`,
    {
      config: { access: 'write', secretPaths: type.secretPaths },
      schema: {
        tags,
        summary: `Run a ${type.title} check once without saving it`,
        description: 'Answers the result, or 408 when no agent answered in time. Nothing is stored and nobody is told.',
        querystring: dryRunQuery,
        body: create,
        response: { 200: z.looseObject({}).describe('A check result.') },
      },
    },
    async (request) => {
      const { accountId } = request.principal
      const shown = await dryRunDefinition(request, request.query.checkId, request.body)
      const slugs = await readLocationSlugs(deps.db.pool, accountId)
      const references = { account: accountId, slugs, keptLocations: [] }
      await validateDefinition(deps.db.pool, references, type, shown)
      const definition = withIds(shown, slugs, [])
      const reason = notRunnableReason(type, { ...definition, triggerIncident: null })
      if (reason !== null) throw conflict(`The check cannot run: ${reason}`)
      const location = await locationOfDryRun(deps, accountId, { slug: request.query.location, definition })
      const result = await deps.hooks.dryRun({ accountId, type: type.type, definition, location })
      if (!result) throw timedOut('No agent answered in time; try again.')
      return result
    },
  )

  /** What the form shows of a stored check holds masks: the secrets behind them are those of that check. */
  async function dryRunDefinition(request: FastifyRequest, checkId: string | undefined, sent: Sent) {
    if (checkId === undefined) return completeDefinition(type, sent, randomUUID())
    const { accountId } = request.principal
    const stored = await readCheck(deps.db.pool, accountId, checkId)
    if (!stored || stored.type !== type.type) throw notFound(`The ${type.title} check`)
    const slugs = await readLocationSlugs(deps.db.pool, accountId)
    const before = withSlugs(unsealDefinition(deps.vault, { account: accountId, checkId }, type, stored), slugs)
    return mergeDefinition(type, before, completeDefinition(type, sent, checkId), checkId)
  }
}

/** Where the run was asked for, else the first location that the check would run at. */
async function locationOfDryRun(
  { db }: ApiDeps,
  account: string,
  { slug, definition }: { slug: string | undefined; definition: Definition },
): Promise<LocationId> {
  if (slug !== undefined) return locationToRunAt(db.pool, account, slug)
  const settings = await readAccountSettings(db.pool, account)
  const [location] = resolveCheck(definition, undefined, settings).locations
  if (location === undefined) throw conflict('The check cannot run: neither it nor the account names a location.')
  return location
}

/** The check as it is now stored, for the answer of a write. */
async function readAnswer({ db }: ApiDeps, { principal }: FastifyRequest, id: string) {
  const stored = await readCheck(db.pool, principal.accountId, id)
  if (!stored) throw notFound('The check')
  const shownWith = await readShownWith(db.pool, principal.accountId, [stored])
  return { check: toCheck(stored, shownWith) as never, version: stored.version }
}
