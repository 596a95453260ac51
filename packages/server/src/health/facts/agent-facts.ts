import type { LocationId } from '@vedette/wire'
import type { AgentPresence } from '../../agents/index.ts'
import type { AgentFact, LocationFact } from './facts.ts'

/** An agent with the locations that it serves. */
export interface ServingAgent extends AgentPresence {
  serves: ReadonlySet<LocationId>
  name: string
}

export function agentFacts(agents: readonly ServingAgent[], ageOf: (at: number) => number): AgentFact[] {
  return agents.map((one) => {
    const ofKey = agents.filter(({ key }) => key.id === one.key.id)
    return {
      agentId: one.agentId,
      name: one.name,
      accountId: one.key.accountId,
      silentMs: one.state === 'silent' ? ageOf(one.heardAt) : 0,
      replaced: ofKey.some(({ helloAt }) => helloAt > one.heardAt),
      others: ofKey.filter((other) => other !== one && other.state === 'online').length,
    }
  })
}

/** A location that activated checks use. */
export interface UsedLocation {
  id: LocationId
  name: string
  accountId: string | null
  byBuiltin: boolean
  awaited: boolean
}

/** Remembers when each location last had an agent, also after that agent is forgotten. */
export function locationFacts(): (
  used: readonly UsedLocation[],
  agents: readonly ServingAgent[],
  time: { now: number; countedFrom: number },
) => LocationFact[] {
  const servedAt = new Map<LocationId, number>()
  return (used, agents, { now, countedFrom }) => {
    for (const { serves, heardAt } of agents)
      for (const id of serves) servedAt.set(id, Math.max(heardAt, servedAt.get(id) ?? heardAt))
    const inUse = new Set(used.map(({ id }) => id))
    for (const id of servedAt.keys()) if (!inUse.has(id)) servedAt.delete(id)
    return used.map(({ id, name, accountId, byBuiltin, awaited }) => {
      // A location that comes into use counts from then on.
      const at = servedAt.get(id) ?? now
      servedAt.set(id, at)
      return {
        id,
        name,
        accountId,
        awaited,
        served: byBuiltin ? 'by-builtin' : 'by-own',
        agents: agents.filter(({ serves, state }) => state === 'online' && serves.has(id)).length,
        withoutAgentMs: now - Math.max(at, countedFrom),
      }
    })
  }
}
