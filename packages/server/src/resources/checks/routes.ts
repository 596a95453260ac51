import { startedRunResponse } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { offsetOf, setContentRange } from '../../http/schemas/paging.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import { sendJson } from '../../http/send-json.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import { anyTypeRoutes } from './any-type-routes.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { answersOf, readAnswer } from './check-answer.ts'
import { deleteCheck } from './verbs/delete-check.ts'
import { withEventAddress } from './definition/event-address.ts'
import { restoreCheck } from './verbs/restore-check.ts'
import { runCheck } from './verbs/run-check.ts'
import { anyCheck, checkList, listQuery, readQuery, typeSchemas, writeCheck } from './schema.ts'
import { muteRoutes } from './mute-routes.ts'
import { listChecks } from './store.ts'
import type { CheckAnswer } from './to-check.ts'
import { checkTypeRoutes } from './type-routes.ts'

const tags = ['Checks']
const params = z.object({ id: uuidParam('check') })

export function checkRoutes(app: App, deps: ApiDeps): void {
  for (const schemas of typeSchemas) checkTypeRoutes(app, deps, schemas)
  anyTypeRoutes(app, deps)
  for (const base of ['/v1', '/v2'] as const) readRoutes(app, deps, base)
  muteRoutes(app, deps)
  bulkRoutes(app, deps)
  changeRoutes(app, deps)
}

/** Both versions answer the same. */
function readRoutes(app: App, { db, clock, baseUrl }: ApiDeps, base: '/v1' | '/v2'): void {
  const shown = withEventAddress(baseUrl)
  app.get(
    `${base}/checks`,
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List checks', querystring: listQuery, response: { 200: checkList } },
    },
    async ({ principal: { accountId: account }, query }, reply) => {
      const { tag, checkType, search, apiCheckUrlFilterPattern: url, status: state, applyGroupSettings } = query
      const filter = { tags: tag ?? [], checkType, search, url, state, now: new Date(clock.now()) }
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { checks, total } = await listChecks(db.pool, { account, filter }, page)
      const answers = await answersOf(db.pool, checks, { account, at: filter.now, applyGroupSettings })
      setContentRange(reply, query, checks.length, total)
      return sendJson(reply, `[${answers.map((check) => writeCheck(shown(check))).join(',')}]`)
    },
  )

  app.get(
    `${base}/checks/:id`,
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a check', params, querystring: readQuery, response: { 200: anyCheck } },
    },
    async ({ principal: { accountId: account }, params: { id }, query }, reply) => {
      const of = { account, at: new Date(clock.now()), applyGroupSettings: query.applyGroupSettings }
      const { check, version } = await readAnswer(db.pool, id, of)
      setEtag(reply, version)
      return sendJson(reply, writeCheck(shown(query.includeDependencies ? check : withoutDependencies(check))))
    },
  )
}

function withoutDependencies(check: CheckAnswer): CheckAnswer {
  const { dependencies: _, ...rest } = check
  return rest
}

function changeRoutes(app: App, deps: ApiDeps): void {
  const [remove, restore, run] = [deleteCheck(deps), restoreCheck(deps), runCheck(deps)]
  const shown = withEventAddress(deps.baseUrl)

  app.delete(
    '/v1/checks/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete a check', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/checks/:id/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Bring back a check that was deleted in the last 24 hours',
        description: 'With its results, settings and subscriptions. It runs at once if it was activated.',
        params,
        body: emptyBody,
        response: { 200: anyCheck },
      },
    },
    async (request, reply) => {
      const { check, version } = await restore(contextOf(request), request.params.id)
      setEtag(reply, version)
      return sendJson(reply, writeCheck(shown(check)))
    },
  )

  app.post(
    '/v1/checks/:id/run',
    {
      config: { access: 'run' },
      schema: { tags, summary: 'Run a check now', params, response: { 202: startedRunResponse } },
    },
    async (request, reply) => reply.code(202).send(await run(contextOf(request), request.params.id)),
  )
}
