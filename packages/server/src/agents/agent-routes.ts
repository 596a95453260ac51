import {
  agentPaths,
  agentPathsV1,
  agentProtocolV1,
  agentProtocolVersion,
  diagnosticsRequest,
  goodbyeRequest,
  handedOutAheadMs,
  helloRequest,
  jobForV1,
  leaseRequest,
  planRequest,
  releaseRequest,
  renewRequest,
  resultsRequest,
  type Clock,
  type HelloResponse,
  type Job,
  type LeaseClaims,
  type PlanResponse,
  type RenewResponse,
  type ResultsResponse,
} from '@vedette/wire'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { invalidField, unavailable } from '../api-error.ts'
import type { App } from '../http/build-http.ts'
import { bearerToken } from '../http/callers/credentials.ts'
import { acceptResults } from './accept-results.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import { agentKeyOf, authenticateAgent } from './keys/authenticate-agent.ts'
import { leaseJobs, longPollMs } from './jobs/lease-jobs.ts'
import { heldRun } from './jobs/lease-token.ts'
import { readAgentBodies, resultsBodyLimit } from './protocol-body.ts'
import type { AgentKey } from './store.ts'
import { diagnosticsBodyLimit, takeDiagnostics } from './take-diagnostics.ts'

/** Results are validated one by one, so that an invalid one does not refuse the others. */
const resultsEnvelope = resultsRequest.extend({ results: z.array(z.unknown()).min(1).max(200) })

const hidden = { hide: true } as const
const config = { access: 'agent' } as const

/** The agent protocol. Register it as a plugin of its own: it parses bodies differently. */
export async function agentRoutes(app: App, deps: AgentApiDeps): Promise<void> {
  readAgentBodies(app)
  app.addHook('onRequest', (request) => {
    deps.ownAgent.called(bearerToken(request))
    return authenticateAgent(request, deps.keys)
  })
  for (const protocol of protocols) {
    addPresenceRoutes(app, deps, protocol)
    addWorkRoutes(app, deps, protocol)
  }
  addPlanRoute(app, deps)
  addDiagnosticsRoute(app, deps)
}

/** A supported version of the protocol: its paths, and how a job is written in it. */
interface Protocol {
  version: number
  paths: Record<keyof typeof agentPathsV1, string>
  tell: (job: Job) => unknown
  /** Whether its agents start a job at its due time; the others start it when they get it. */
  startsWhenDue: boolean
}

const protocols: readonly Protocol[] = [
  { version: agentProtocolVersion, paths: agentPaths, tell: (job) => job, startsWhenDue: true },
  { version: agentProtocolV1, paths: agentPathsV1, tell: jobForV1, startsWhenDue: false },
]

function addPresenceRoutes(app: App, deps: AgentApiDeps, { version, paths }: Protocol): void {
  const { clock, keys, presence, work, leaseMs } = deps

  app.post(
    paths.hello,
    { config, schema: { ...hidden, body: helloRequest } },
    async (request): Promise<HelloResponse> => {
      const key = agentKeyOf(request)
      const { body } = request
      const protocol = agreedProtocol(body.protocol, version)
      const locations = await keys.locationsOf(key)
      await work.ready()
      requireLeading(deps)
      presence.hello(key, body)
      // Runs that the agent has already must be known before the first run is leased.
      await work.adopt(key.id, [...body.inFlight, ...body.spooled], locations)
      const renewEveryMs = Math.floor(leaseMs / 3)
      const slugs = await keys.slugsOf(key)
      return { protocol, serverTime: clock.now(), locations: slugs, leaseMs, renewEveryMs, longPollMs }
    },
  )

  app.post(paths.goodbye, { config, schema: { ...hidden, body: goodbyeRequest } }, async (request, reply) => {
    requireLeading(deps)
    presence.goodbye(agentKeyOf(request), request.body.agentId)
    return reply.code(204).send()
  })
}

function addWorkRoutes(app: App, deps: AgentApiDeps, { paths, tell, startsWhenDue }: Protocol): void {
  const { clock, presence, work } = deps

  app.post(
    paths.lease,
    { config, schema: { ...hidden, body: leaseRequest } },
    async (request, reply): Promise<{ serverTime: number; jobs: unknown[] }> => {
      requireLeading(deps)
      const key = agentKeyOf(request)
      presence.asked(key, request.body.agentId)
      const jobs = await leaseJobs(deps, key, { ...request.body, signal: signalOf(reply) })
      if (!startsWhenDue) await untilDue(clock, jobs)
      return { serverTime: clock.now(), jobs: jobs.map(tell) }
    },
  )

  app.post(
    paths.renew,
    { config, schema: { ...hidden, body: renewRequest } },
    async (request): Promise<RenewResponse> => {
      requireLeading(deps)
      const key = agentKeyOf(request)
      presence.renewed(key, request.body)
      for (const crash of request.body.crashes ?? [])
        deps.log.error({ agentId: request.body.agentId, ...crash }, 'A part of an agent crashed.')
      const cancelled = await work.renew(key.id, claimsOf(deps, key, request.body.leases).map(heldRun))
      return { serverTime: clock.now(), cancelled }
    },
  )

  app.post(
    paths.results,
    { config, bodyLimit: resultsBodyLimit, schema: { ...hidden, body: resultsEnvelope } },
    async (request): Promise<ResultsResponse> => {
      const from = { key: agentKeyOf(request), agentId: request.body.agentId }
      presence.seen(from.key, from.agentId)
      return { ...(await acceptResults(deps, from, request.body.results)), serverTime: clock.now() }
    },
  )

  app.post(paths.release, { config, schema: { ...hidden, body: releaseRequest } }, async (request, reply) => {
    requireLeading(deps)
    const key = agentKeyOf(request)
    const held = claimsOf(deps, key, request.body.leases)
    await work.release(
      key.id,
      held.map(({ attemptId }) => attemptId),
    )
    return reply.code(204).send()
  })
}

function addPlanRoute(app: App, deps: AgentApiDeps): void {
  const { clock, plans, presence } = deps

  app.post(
    agentPaths.plan,
    { config, schema: { ...hidden, body: planRequest } },
    async (request): Promise<PlanResponse> => {
      requireLeading(deps)
      const key = agentKeyOf(request)
      presence.seen(key, request.body.agentId)
      const plan = await plans.answer(key, request.body)
      return { serverTime: clock.now(), plan }
    },
  )
}

function addDiagnosticsRoute(app: App, deps: AgentApiDeps): void {
  app.post(
    agentPaths.diagnostics,
    { config, bodyLimit: diagnosticsBodyLimit, schema: { ...hidden, body: diagnosticsRequest } },
    async (request, reply) => {
      await takeDiagnostics(deps, agentKeyOf(request), request.body)
      return reply.code(204).send()
    },
  )
}

/** Waits until all jobs are due, which were handed out ahead. */
function untilDue(clock: Clock, jobs: readonly Job[]): Promise<void> {
  const leftMs = Math.max(0, ...jobs.map(({ dueAt }) => dueAt - clock.now()))
  return new Promise((resolve) => clock.after(Math.min(leftMs, handedOutAheadMs), resolve))
}

/** The agent's version, which must be the one of the path it called. */
function agreedProtocol(offered: number, spoken: number): number {
  if (offered === spoken) return offered
  const accepted = protocols.map(({ version }) => version).join(' or ')
  throw invalidField('protocol', `must be ${accepted}, got ${offered}; update the older side`)
}

function requireLeading(deps: AgentApiDeps): void {
  if (!deps.work.isLeading()) throw unavailable('Another server hands out runs at this moment.', 1)
}

/** The leases of this key. Others are left out. */
function claimsOf(deps: AgentApiDeps, key: AgentKey, leases: readonly string[]): LeaseClaims[] {
  return leases.flatMap((token) => {
    const claims = deps.tokens.read(token)
    return claims?.keyId === key.id ? [claims] : []
  })
}

/** Aborts when the agent closes the connection during a long poll. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}
