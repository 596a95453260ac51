import {
  checkSession,
  checkSessionWithResults,
  sessionCancel,
  sessionTrigger,
  sessionTriggerV1,
  startedSessions,
  type SessionStatus,
} from '@vedette/wire'
import { z } from 'zod'
import { ApiError } from '../../api-error.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { App } from '../../http/build-http.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { integerParam, numberParam, uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { awaitSession, showSession } from './await-session.ts'
import { cancelSession } from './cancel-session.ts'
import { listSessions, readResults } from './store.ts'
import { asV1, toSession } from './to-session.ts'
import { triggerSessions } from './trigger-sessions.ts'

const tags = ['Check sessions']
const params = z.object({ checkSessionId: uuidParam('check session') })
const longestWaitSeconds = 30

/** What differs between the two versions of the paths. */
interface Version {
  prefix: '/v1' | '/v2'
  trigger: typeof sessionTrigger | typeof sessionTriggerV1
  maxWaitSeconds: z.ZodType<number>
  shown: <T extends { status: SessionStatus }>(session: T) => T
}

const versions: readonly Version[] = [
  { prefix: '/v1', trigger: sessionTriggerV1, maxWaitSeconds: numberParam(1, longestWaitSeconds), shown: asV1 },
  { prefix: '/v2', trigger: sessionTrigger, maxWaitSeconds: integerParam(1, longestWaitSeconds), shown: (one) => one },
]

export function checkSessionRoutes(app: App, deps: ApiDeps): void {
  app.addHook('preClose', async () => deps.sessionEnds.stop())
  for (const version of versions) {
    triggerRoute(app, deps, version)
    readRoutes(app, deps, version)
    cancelRoute(app, deps, version)
  }
  listRoute(app, deps)
}

function triggerRoute(app: App, deps: ApiDeps, { prefix, trigger }: Version): void {
  const start = triggerSessions(deps)
  app.post(
    `${prefix}/check-sessions/trigger`,
    {
      config: { access: 'run', errors: [404] },
      schema: {
        tags,
        summary: 'Run checks now and follow them',
        description:
          'Every activated check that matches runs at once, besides its schedule, and alerts as usual: at all of its ' +
          'locations when it runs in parallel, else at its first one. 404 when none matches.',
        body: trigger,
        response: { 201: startedSessions },
      },
    },
    async (request, reply) => reply.code(201).send({ sessions: await start(contextOf(request), request.body.target) }),
  )
}

function readRoutes(app: App, deps: ApiDeps, { prefix, maxWaitSeconds, shown }: Version): void {
  app.get(
    `${prefix}/check-sessions/:checkSessionId`,
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a check session', params, response: { 200: checkSessionWithResults } },
    },
    async ({ principal, params: { checkSessionId } }) =>
      shown(await showSession(deps, principal.accountId, checkSessionId)),
  )

  app.get(
    `${prefix}/check-sessions/:checkSessionId/completion`,
    {
      config: { access: 'read', errors: [408] },
      schema: {
        tags,
        summary: 'Wait for the end of a check session',
        description: '408 when it is not over in time: call again.',
        params,
        querystring: z.strictObject({
          maxWaitSeconds: maxWaitSeconds
            .default(longestWaitSeconds)
            .meta({ default: longestWaitSeconds, description: 'Longest wait.' }),
        }),
        response: { 200: checkSessionWithResults },
      },
    },
    async ({ principal, params: { checkSessionId: id }, query }, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const wait = { account: principal.accountId, id, forMs: query.maxWaitSeconds * 1000, signal: gone.signal }
      const session = await awaitSession(deps, wait)
      if (session === undefined)
        throw new ApiError(408, 'The check session is not over yet: call again.', { headers: { 'retry-after': '1' } })
      return shown(session)
    },
  )
}

function cancelRoute(app: App, deps: ApiDeps, { prefix }: Version): void {
  const cancel = cancelSession(deps)
  app.post(
    `${prefix}/check-sessions/:checkSessionId/cancel`,
    {
      config: { access: 'run' },
      schema: {
        tags,
        summary: 'Cancel a check session',
        description:
          'Runs that wait are taken back. What an agent has begun is stored as cancelled, says nothing about the target ' +
          'and never alerts. A session that is over stays as it is.',
        params,
        body: sessionCancel.nullish().meta({ examples: [{}] }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { checkSessionId: id } = request.params
      await cancel(contextOf(request), { id, sequenceIds: request.body?.sequenceId })
      return reply.code(204).send()
    },
  )
}

function listRoute(app: App, { db, clock, baseUrl }: ApiDeps): void {
  app.get(
    '/v2/check-sessions',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List check sessions, newest first',
        description: 'Those of the last 30 days, without their results.',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(checkSession) },
      },
    },
    async ({ principal, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { rows, total } = await listSessions(db.pool, principal.accountId, page)
      const results = await readResults(
        db.pool,
        rows.filter(({ status }) => status === null),
      )
      setContentRange(reply, query, rows.length, total)
      return rows.map((row) => {
        const ofRow = results.filter(
          ({ check_id, due_at }) => check_id === row.check_id && due_at.getTime() === row.due_at?.getTime(),
        )
        return toSession(row, ofRow, { baseUrl: baseUrl(), now: clock.now() })
      })
    },
  )
}
