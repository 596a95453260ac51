import { heartbeatAvailability, heartbeatEvents, heartbeatEventWithStats, heartbeatTimer } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { instantParam, integerParam, uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { availabilityRange, checkedRange, readAvailability, readStats } from './availability.ts'
import { readTimer } from './read-timer.ts'
import { listEvents, readEvent, readHeartbeat, type HeartbeatOf } from './store.ts'

const tags = ['Heartbeats']
const config = { access: 'read' } as const
const what = 'heartbeat check'
const params = z.object({ checkId: uuidParam(what) })
const mostEvents = 10

const times = {
  startTime: instantParam().optional().describe('UNIX timestamp in seconds or ISO 8601; events from then on.'),
  endTime: instantParam().optional().describe('UNIX timestamp in seconds or ISO 8601; events before then.'),
}

export function heartbeatRoutes(app: App, deps: ApiDeps): void {
  availabilityRoute(app, deps)
  timerRoute(app, deps)
  eventRoutes(app, deps)
}

async function mustExist({ db }: ApiDeps, of: HeartbeatOf): Promise<void> {
  if (!(await readHeartbeat(db.pool, of))) throw notFound(what)
}

function availabilityRoute(app: App, deps: ApiDeps): void {
  const { db, clock } = deps
  app.get(
    '/v1/checks/heartbeats/:checkId/availability',
    {
      config,
      schema: {
        tags,
        summary: 'Read how many events of a heartbeat check were pings',
        description:
          'Of the last 24 hours when no time is sent, and of the time of the same length before. Failures are kept for 30 days.',
        params,
        querystring: z.strictObject(times),
        response: { 200: heartbeatAvailability },
      },
    },
    async ({ principal, params: { checkId }, query }) => {
      const range = availabilityRange(query, clock.now())
      await mustExist(deps, { account: principal.accountId, checkId })
      return readAvailability(db.pool, checkId, range)
    },
  )
}

function timerRoute(app: App, { db, clock }: ApiDeps): void {
  app.get(
    '/v1/checks/heartbeats/:checkId/timer',
    {
      config,
      schema: {
        tags,
        summary: 'Read when a heartbeat check expects its next ping',
        params,
        response: { 200: heartbeatTimer },
      },
    },
    async ({ principal, params: { checkId } }) => {
      const timer = await readTimer(db.pool, { account: principal.accountId, checkId }, clock.now())
      if (!timer) throw notFound(what)
      return timer
    },
  )
}

function eventRoutes(app: App, deps: ApiDeps): void {
  const { db, clock } = deps
  app.get(
    '/v1/checks/heartbeats/:checkId/events',
    {
      config,
      schema: {
        tags,
        summary: 'List the newest pings and failures of a heartbeat check',
        params,
        querystring: z.strictObject({
          ...times,
          limit: integerParam(1, mostEvents)
            .default(mostEvents)
            .meta({ default: mostEvents, description: 'Events in the answer.' }),
        }),
        response: { 200: heartbeatEvents },
      },
    },
    async ({ principal, params: { checkId }, query }) => {
      const of = { account: principal.accountId, checkId }
      const range = checkedRange(query)
      await mustExist(deps, of)
      const events = await listEvents(db.pool, of, { ...range, limit: query.limit })
      return { events, stats: await readStats(db.pool, checkId, clock.now()) }
    },
  )

  app.get(
    '/v1/checks/heartbeats/:checkId/events/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Read a ping or failure of a heartbeat check',
        params: z.object({ checkId: uuidParam(what), id: uuidParam('event') }),
        response: { 200: heartbeatEventWithStats },
      },
    },
    async ({ principal, params: { checkId, id } }) => {
      const of = { account: principal.accountId, checkId }
      await mustExist(deps, of)
      const event = await readEvent(db.pool, of, id)
      if (!event) throw notFound('event')
      return { event, stats: await readStats(db.pool, checkId, clock.now()) }
    },
  )
}
