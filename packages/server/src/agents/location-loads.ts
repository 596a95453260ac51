import type { LocationId } from '@vedette/wire'
import type { LocationLoad } from '../locations/location-load.ts'
import type { WaitingAt } from '../queue/run-queue.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import { agentsOfPrivateLocations } from './private-agents.ts'

interface Queued {
  waitingAt(): readonly WaitingAt[]
  leasedAt(): ReadonlyMap<LocationId, number>
}

/** The queue and the agents of every private location with a key. Only the server that leads has them. */
export function locationLoads(
  queued: Queued,
  { keys, presence }: Pick<AgentApiDeps, 'keys' | 'presence'>,
): LocationLoad[] {
  const waiting = new Map(queued.waitingAt().map((each) => [each.location, each]))
  const leased = queued.leasedAt()
  const agents = agentsOfPrivateLocations({ presence })
  return keys.privateLocations().map((location) => ({
    location,
    waiting: waiting.get(location)?.count ?? 0,
    oldestMs: Math.max(0, waiting.get(location)?.oldestMs ?? 0),
    leased: leased.get(location) ?? 0,
    agents: agents.filter((agent) => agent.location === location).length,
  }))
}
