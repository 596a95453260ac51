import {
  locationUse,
  privateLocationBase,
  privateLocationCreate,
  privateLocationId,
  privateLocationKey,
  privateLocationMetrics,
  privateLocationResponse,
  privateLocationUpdate,
} from '@vedette/wire'
import { z } from 'zod'
import { invalidField, notFound } from '../../api-error.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { booleanParam, instantParam, integerParam, uuidParam } from '../../http/schemas/query.ts'
import { readSamples } from '../../locations/sample-store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { listLocations, readLocation, usesOfLocation, type LocationRow } from './store.ts'
import { toLocations } from './to-location.ts'
import { locationKeyVerbs } from './write-key.ts'
import { locationVerbs } from './write-location.ts'

const tags = ['Private locations']
const id = uuidParam('private location')
const params = z.object({ id })
const write = { access: 'write', secretPaths: ['proxyUrl'] } as const
const versions = booleanParam()
  .default(false)
  .meta({ default: false, description: 'Say which versions the agents run.' })

export function privateLocationRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  usesRoute(app, deps)
  metricsRoute(app, deps)
  writeRoutes(app, deps)
  deleteRoutes(app, deps)
  keyRoutes(app, deps)
}

function readRoutes(app: App, { db, vault, clock, agentsSeen }: ApiDeps): void {
  const answer = (account: string, rows: readonly LocationRow[], asked: { versions: boolean }) =>
    toLocations(db.pool, rows, { ...asked, account, vault, seen: agentsSeen(), now: clock.now() })

  app.get(
    '/v1/private-locations',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List private locations',
        description: 'Without `limit` all of them, in the order they were created.',
        querystring: z.strictObject({
          versions,
          limit: integerParam(1, 100).optional().describe('Entries per page; without it all on one page.'),
          page: pageQuery.page,
        }),
        response: { 200: z.array(privateLocationResponse) },
      },
    },
    async ({ principal: { accountId }, query }, reply) => {
      const limit = query.limit ?? null
      const page = { limit: limit ?? Number.MAX_SAFE_INTEGER, page: limit === null ? 1 : query.page }
      const { rows, total } = await listLocations(db.pool, accountId, { limit, offset: offsetOf(page) })
      setContentRange(reply, page, rows.length, total)
      return answer(accountId, rows, query)
    },
  )

  app.get(
    '/v1/private-locations/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read a private location',
        params,
        querystring: z.strictObject({ versions }),
        response: { 200: privateLocationResponse },
      },
    },
    async ({ principal: { accountId }, params: { id: wanted }, query }, reply) => {
      const row = await readLocation(db.pool, accountId, wanted)
      const [location] = row ? await answer(accountId, [row], query) : []
      if (!row || !location) throw notFound('private location')
      setEtag(reply, row.version)
      return location
    },
  )
}

function usesRoute(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/private-locations/:id/uses',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List what runs at a private location',
        description: 'Checks and check groups that name it, those that are deactivated too.',
        params,
        response: { 200: z.array(locationUse) },
      },
    },
    async ({ principal: { accountId }, params: { id: location } }) => {
      if (!(await readLocation(db.pool, accountId, location))) throw notFound('private location')
      return usesOfLocation(db.pool, accountId, privateLocationId(location))
    },
  )
}

function metricsRoute(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/private-locations/:id/metrics',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read how the queue of a private location was',
        description: 'Once a minute, of the last 15 days.',
        params,
        querystring: z.strictObject({
          from: instantParam().describe('UNIX timestamp in seconds, or an ISO 8601 date: this time and later.'),
          to: instantParam().describe('Before this time.'),
        }),
        response: { 200: privateLocationMetrics },
      },
    },
    async ({ principal: { accountId }, params: { id: location }, query }) => {
      if (query.to <= query.from)
        throw invalidField('to', `must be later than from, got ${new Date(query.to).toISOString()}`, 'query')
      if (!(await readLocation(db.pool, accountId, location))) throw notFound('private location')
      const range = { location, from: new Date(query.from), to: new Date(query.to) }
      const { timestamps, waiting, oldest } = await readSamples(db.pool, range)
      return { timestamps, queueSize: waiting, oldestScheduledCheckRun: oldest }
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const locations = locationVerbs(deps)

  app.post(
    '/v1/private-locations',
    {
      config: write,
      schema: {
        tags,
        summary: 'Create a private location',
        description: 'It comes with a key for its agents, which only this answer shows. 409 when the slug is taken.',
        body: privateLocationCreate,
        response: { 201: privateLocationBase },
      },
    },
    async (request, reply) => {
      const { location, version } = await locations.create(contextOf(request), request.body)
      return setEtag(reply.code(201), version).send(location)
    },
  )

  app.put(
    '/v1/private-locations/:id',
    {
      config: write,
      schema: {
        tags,
        summary: 'Change a private location',
        description: 'Fields that are not sent stay. Runs that start afterwards go through the new proxy.',
        params,
        body: privateLocationUpdate,
        response: { 200: privateLocationBase },
      },
    },
    async (request, reply) => {
      const { location, version } = await locations.update(contextOf(request), request.params.id, request.body)
      return setEtag(reply, version).send(location)
    },
  )
}

function deleteRoutes(app: App, deps: ApiDeps): void {
  const locations = locationVerbs(deps)

  app.delete(
    '/v1/private-locations/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Delete a private location',
        description: 'Its agents are refused from now on. 409 while checks use it, naming them.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await locations.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/private-locations/:id/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Bring back a private location that was deleted in the last 24 hours',
        description: 'Its keys are valid again. 409 when another one has its slug since.',
        params,
        body: emptyBody,
        response: { 200: privateLocationBase },
      },
    },
    async (request, reply) => {
      const { location, version } = await locations.restore(contextOf(request), request.params.id)
      return setEtag(reply, version).send(location)
    },
  )
}

function keyRoutes(app: App, deps: ApiDeps): void {
  const keys = locationKeyVerbs(deps)

  app.post(
    '/v1/private-locations/:id/keys',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Create a key for the agents of a private location',
        description: 'Two may be valid at a time, so that one can follow the other. Only this answer shows the key.',
        params,
        response: { 201: privateLocationKey },
      },
    },
    async (request, reply) => reply.code(201).send(await keys.create(contextOf(request), request.params.id)),
  )

  app.delete(
    '/v1/private-locations/:id/keys/:keyId',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Revoke a key of a private location',
        description: 'Agents with it are refused from now on.',
        params: z.object({ id, keyId: uuidParam('key of the private location') }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await keys.revoke(contextOf(request), request.params.id, request.params.keyId)
      return reply.code(204).send()
    },
  )
}
