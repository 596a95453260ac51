import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { conflict, notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { checkIfMatch, setEtag } from '../../http/etag.ts'
import { offsetOf, setContentRange } from '../../http/paging.ts'
import { uuidParam } from '../../http/query.ts'
import { sendJson } from '../../http/send-json.ts'
import { announce } from './announce.ts'
import { anyCheck, checkList, listQuery, startedRun, typeSchemas, writeCheck } from './schema.ts'
import { softDeleteCheck, listChecks, readCheck } from './store.ts'
import { readShownWith, toCheck } from './to-check.ts'
import { checkTypeRoutes } from './type-routes.ts'

const tags = ['Checks']
const params = z.object({ id: uuidParam() })

export function checkRoutes(app: App, deps: ApiDeps): void {
  for (const schemas of typeSchemas) checkTypeRoutes(app, deps, schemas)
  readRoutes(app, deps)
  deleteRoute(app, deps)
  runRoute(app, deps)
}

function readRoutes(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/checks',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List checks', querystring: listQuery, response: { 200: checkList } },
    },
    async ({ principal: { accountId: account }, query }, reply) => {
      const { tag, checkType, search, apiCheckUrlFilterPattern: url, status: state } = query
      const filter = { tags: tag ?? [], checkType, search, url, state, now: new Date(clock.now()) }
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { checks, total } = await listChecks(db.pool, { account, filter }, page)
      const shownWith = await readShownWith(db.pool, account, checks)
      setContentRange(reply, query, checks.length, total)
      return sendJson(reply, `[${checks.map((check) => writeCheck(toCheck(check, shownWith))).join(',')}]`)
    },
  )

  app.get(
    '/v1/checks/:id',
    { config: { access: 'read' }, schema: { tags, summary: 'Read a check', params, response: { 200: anyCheck } } },
    async ({ principal: { accountId: account }, params: { id } }, reply) => {
      const stored = await readCheck(db.pool, account, id)
      if (!stored) throw notFound('The check')
      setEtag(reply, stored.version)
      return sendJson(reply, writeCheck(toCheck(stored, await readShownWith(db.pool, account, [stored]))))
    },
  )
}

function deleteRoute(app: App, { db, clock, hooks }: ApiDeps): void {
  app.delete(
    '/v1/checks/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete a check', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const { id } = request.params
      const account = request.principal.accountId
      await db.transaction(async (client) => {
        const stored = await readCheck(client, account, id, true)
        if (!stored) throw notFound('The check')
        checkIfMatch(request, stored.version)
        await softDeleteCheck(client, account, id, new Date(clock.now()))
        await audit(client, request, { action: 'delete', resource: 'checks', id }, clock.now())
      })
      await announce(hooks, request, id, { change: 'deleted', runNow: false })
      return reply.code(204).send()
    },
  )
}

function runRoute(app: App, deps: ApiDeps): void {
  app.post(
    '/v1/checks/:id/run',
    {
      config: { access: 'run' },
      schema: { tags, summary: 'Run a check now', params, response: { 202: startedRun } },
    },
    async (request, reply) => {
      const { id } = request.params
      await checkRunnable(deps, request, id)
      const run = await deps.hooks.runNow(request.principal.accountId, id)
      if (!run) throw conflict('The check cannot run now.')
      return reply.code(202).send(run)
    },
  )
}

async function checkRunnable({ db, clock }: ApiDeps, request: FastifyRequest, id: string): Promise<void> {
  const stored = await readCheck(db.pool, request.principal.accountId, id)
  if (!stored) throw notFound('The check')
  if (stored.not_runnable !== null) throw conflict(`The check cannot run: ${stored.not_runnable}`)
  if (!stored.activated) throw conflict('The check is paused; activate it to run it.')
  await audit(db.pool, request, { action: 'run', resource: 'checks', id }, clock.now())
}
