import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { App } from '../http/build-http.ts'
import { uuidParam } from '../http/schemas/query.ts'
import { eventTaker, type EventDeps } from './take-event.ts'

/** Limit for one address, which many jobs may share. Each check has a limit of its own. */
const mostPerMinute = 6000

/** Path that events are sent to. The token is the only authorisation. */
export const eventPath = (token: string): string => `/events/${token}`

/** More than what is kept of a body, in bytes. */
const mostBytes = 64 * 1024

/** The beginning of a body, however long it is: an event must not be lost because its sender has much to say. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      if (length < mostBytes) kept.push(chunk.subarray(0, mostBytes - length))
      length += chunk.length
    }
  } catch (error) {
    throw new ApiError(400, `The body broke off: ${String(error)}`)
  }
  return Buffer.concat(kept).toString('utf8')
}

/** Routes that receive events of passive checks. Register it as a plugin of its own: it parses any body as text. */
export async function eventRoutes(app: App, deps: EventDeps): Promise<void> {
  const take = eventTaker(deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request: FastifyRequest, body: AsyncIterable<Buffer>) => beginningOf(body))
  app.route({
    // The type of the check says which of them it takes: the others are a 405.
    method: ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: eventPath(':token'),
    exposeHeadRoute: false,
    config: {
      access: 'public',
      rateLimit: { max: mostPerMinute, timeWindow: 60_000 },
      anyQuery: 'An event must not be lost because of what its sender adds to the address.',
    },
    schema: { params: z.object({ token: uuidParam('address for events') }) },
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
