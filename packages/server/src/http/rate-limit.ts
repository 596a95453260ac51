import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '@vedette/wire'
import { ApiError } from '../api-error.ts'
import type { Database } from '../db/database.ts'
import { rateStore } from './rate-store.ts'
import { SharedRates } from './shared-rates.ts'

export interface RateLimit {
  max: number
  windowSeconds: number
  /** False: no route has a limit of its own. */
  ofRoutes?: boolean
}

export const defaultRateLimit: RateLimit = { max: 600, windowSeconds: 60 }

/**
 * `config: { ...rateLimited(5, 10) }` on a route: a separate limit for each key. Users of the web app keep the general
 * limit, since open pages read on their behalf.
 */
export const rateLimited = (max: number, windowSeconds: number) => ({
  rateLimit: {
    max: (request: FastifyRequest) => (request.principal?.cookie ? Math.max(max, 10 * windowSeconds) : max),
    timeWindow: windowSeconds * 1000,
  },
})

/**
 * Counts requests for each key, user or, when signed out, address, together with the other servers on the same
 * database. Runs after sign-in.
 */
export async function limitRates(
  app: FastifyInstance,
  limit: RateLimit,
  { clock, db }: { clock: Clock; db: Database },
): Promise<void> {
  const shared = db.peers && new SharedRates({ db, clock, log: app.log })
  app.addHook('onClose', () => shared?.stop())
  app.addHook('onRoute', (route) => {
    if (route.config?.access === 'agent') route.config = { ...route.config, rateLimit: false }
    if (limit.ofRoutes === false && route.config?.rateLimit) delete route.config.rateLimit
  })
  await app.register(rateLimit, {
    max: limit.max,
    timeWindow: limit.windowSeconds * 1000,
    enableDraftSpec: true,
    store: rateStore(clock, shared),
    keyGenerator: (request) => request.principal?.actor ?? `address:${request.ip}`,
    errorResponseBuilder: (_request, { max, ttl }) =>
      new ApiError(429, `More than ${max} requests; try again in ${Math.ceil(ttl / 1000)} s.`),
  })
}
