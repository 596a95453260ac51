import { agentResponse, type Agent } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../http/build-http.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import type { AgentPresence } from './presence.ts'

/** The list of agents with their state. */
export function agentListRoutes(app: App, { keys, presence }: Pick<AgentApiDeps, 'keys' | 'presence'>): void {
  app.get(
    '/v1/agents',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Agents'],
        summary: 'List the agents',
        description: 'Agents of data-center locations, and those of private locations of the account.',
        response: { 200: z.array(agentResponse) },
      },
    },
    async ({ principal }) => {
      const valid = new Set((await keys.list()).map(({ id }) => id))
      const seen = presence
        .list()
        .filter(({ key }) => valid.has(key.id) && (key.accountId === null || key.accountId === principal.accountId))
      return Promise.all(seen.map(async (agent) => toResponse(agent, await keys.slugsOf(agent.key))))
    },
  )
}

const toResponse = (agent: AgentPresence, locations: string[]): Agent => ({
  agentId: agent.agentId,
  kind: agent.key.kind,
  locations: locations,
  emulated: agent.key.kind === 'builtin',
  version: agent.version ?? 'unknown',
  checkTypes: agent.checkTypes,
  capabilities: agent.capabilities,
  state: agent.state,
  lastSeenAt: new Date(agent.lastSeenAt).toISOString(),
  running: agent.vitals?.running ?? 0,
  spooled: agent.vitals?.spooled ?? 0,
  eventLoopLagMs: agent.vitals?.eventLoopLagMs ?? 0,
  residentMb: agent.vitals?.residentMb ?? 0,
  clockOffsetMs: agent.clockOffsetMs,
  crashes: agent.crashes,
})
