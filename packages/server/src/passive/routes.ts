import { z } from 'zod'
import type { App } from '../http/build-http.ts'
import { uuidParam } from '../http/query.ts'
import { eventTaker, type EventDeps } from './take-event.ts'

/** From one address: many jobs may share one. How much one check takes is bounded apart from it. */
const mostPerMinute = 6000

/** Where events are sent to, below the address of the server. The token alone says who may. */
export const eventPath = (token: string): string => `/events/${token}`

/** The way in for events of passive checks. Register it as a plugin of its own: it takes any body as text. */
export async function eventRoutes(app: App, deps: EventDeps): Promise<void> {
  const take = eventTaker(deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
  app.route({
    method: ['GET', 'POST'],
    url: eventPath(':token'),
    // A HEAD request asks whether something is there: it tells of nothing that happened.
    exposeHeadRoute: false,
    config: { access: 'public', rateLimit: { max: mostPerMinute, timeWindow: 60_000 } },
    schema: { params: z.object({ token: uuidParam() }) },
    handler: async (request, reply) => {
      const { headers, method, params } = request
      void reply.header('cache-control', 'no-store')
      return take({
        token: params.token,
        method,
        source: headers.origin ?? headers.referer,
        userAgent: headers['user-agent'],
        payload: typeof request.body === 'string' ? request.body : undefined,
      })
    },
  })
}
