import {
  agentPaths,
  agentProtocolVersion,
  goodbyeRequest,
  helloRequest,
  leaseRequest,
  releaseRequest,
  renewRequest,
  resultsRequest,
  type HelloResponse,
  type LeaseResponse,
  type RenewResponse,
  type ResultsResponse,
} from '@vedette/wire'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { invalidField, unavailable } from '../http/api-error.ts'
import type { App } from '../http/build-http.ts'
import { acceptResults } from './accept-results.ts'
import type { AgentPlane } from './agent-api-deps.ts'
import { agentKeyOf, authenticateAgent } from './authenticate-agent.ts'
import { leaseJobs, longPollMs } from './lease-jobs.ts'
import { readAgentBodies, resultsBodyLimit } from './protocol-body.ts'
import type { AgentKey } from './store.ts'

/** Results are read one by one, so that a bad one does not refuse the others. */
const resultsEnvelope = resultsRequest.extend({ results: z.array(z.unknown()).min(1).max(200) })

const hidden = { hide: true } as const
const config = { access: 'agent' } as const

/** The agent protocol. Register it as a plugin of its own: it reads bodies in its own way. */
export async function agentRoutes(app: App, plane: AgentPlane): Promise<void> {
  readAgentBodies(app)
  app.addHook('onRequest', (request) => authenticateAgent(request, plane.keys))
  addPresenceRoutes(app, plane)
  addWorkRoutes(app, plane)
}

function addPresenceRoutes(app: App, plane: AgentPlane): void {
  const { clock, keys, presence, queue, leaseMs } = plane

  app.post(
    agentPaths.hello,
    { config, schema: { ...hidden, body: helloRequest } },
    async (request): Promise<HelloResponse> => {
      const key = agentKeyOf(request)
      const { body } = request
      const protocol = agreedProtocol(body.protocol)
      const places = await keys.placesOf(key)
      presence.hello(key, body)
      // What the agent brings along must be known before the first run is handed out.
      await plane.ready()
      if (plane.isLeading()) await queue.adopt(key.id, [...body.inFlight, ...body.spooled], places)
      const renewEveryMs = Math.floor(leaseMs / 3)
      return { protocol, serverTime: clock.now(), locations: [...places], leaseMs, renewEveryMs, longPollMs }
    },
  )

  app.post(agentPaths.goodbye, { config, schema: { ...hidden, body: goodbyeRequest } }, async (request, reply) => {
    presence.goodbye(agentKeyOf(request), request.body.agentId)
    return reply.code(204).send()
  })
}

function addWorkRoutes(app: App, plane: AgentPlane): void {
  const { clock, presence, queue } = plane

  app.post(
    agentPaths.lease,
    { config, schema: { ...hidden, body: leaseRequest } },
    async (request, reply): Promise<LeaseResponse> => {
      requireLeading(plane)
      const key = agentKeyOf(request)
      presence.seen(key, request.body.agentId)
      const jobs = await leaseJobs(plane, key, { ...request.body, signal: signalOf(reply) })
      return { serverTime: clock.now(), jobs }
    },
  )

  app.post(
    agentPaths.renew,
    { config, schema: { ...hidden, body: renewRequest } },
    async (request): Promise<RenewResponse> => {
      requireLeading(plane)
      const key = agentKeyOf(request)
      presence.renewed(key, request.body)
      for (const crash of request.body.crashes ?? [])
        plane.log.error({ agentId: request.body.agentId, ...crash }, 'A part of an agent crashed.')
      const cancelled = await queue.renew(key.id, attemptsOf(plane, key, request.body.leases))
      return { serverTime: clock.now(), cancelled }
    },
  )

  app.post(
    agentPaths.results,
    { config, bodyLimit: resultsBodyLimit, schema: { ...hidden, body: resultsEnvelope } },
    async (request): Promise<ResultsResponse> => {
      const from = { key: agentKeyOf(request), agentId: request.body.agentId }
      presence.seen(from.key, from.agentId)
      return { ...(await acceptResults(plane, from, request.body.results)), serverTime: clock.now() }
    },
  )

  app.post(agentPaths.release, { config, schema: { ...hidden, body: releaseRequest } }, async (request, reply) => {
    requireLeading(plane)
    const key = agentKeyOf(request)
    await queue.release(key.id, attemptsOf(plane, key, request.body.leases))
    return reply.code(204).send()
  })
}

/** The agent's version when we speak it: ours or the one before. */
function agreedProtocol(offered: number): number {
  const oldest = Math.max(1, agentProtocolVersion - 1)
  if (offered >= oldest && offered <= agentProtocolVersion) return offered
  throw invalidField('protocol', `must be ${oldest} to ${agentProtocolVersion}, got ${offered}; update the older side`)
}

function requireLeading(plane: AgentPlane): void {
  if (!plane.isLeading()) throw unavailable('Another server hands out runs at this moment.', 1)
}

/** Attempts of the leases that this key really holds. Others are passed over. */
function attemptsOf(plane: AgentPlane, key: AgentKey, leases: readonly string[]): string[] {
  return leases.flatMap((token) => {
    const claims = plane.tokens.read(token)
    return claims?.keyId === key.id ? [claims.attemptId] : []
  })
}

/** Aborts when the agent hangs up while we keep it waiting. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
