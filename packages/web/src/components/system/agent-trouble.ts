import type { Agent } from '@vedette/wire'

type Known = Pick<Agent, 'state' | 'spooled' | 'eventLoopLagMs'>

/** An agent with more event-loop lag than this measures its own delays instead of the target's. */
const lagLimitMs = 250

/** What is wrong with the agents; undefined when nothing is. */
export function agentTrouble(agents: readonly Known[]): string | undefined {
  const online = agents.filter((agent) => agent.state === 'online')
  const silent = agents.length - online.length
  if (online.length === 0) return 'No agent is connected: nothing is being checked.'
  if (silent > 0) return `${silent} of ${agents.length} agents ${silent === 1 ? 'is' : 'are'} silent.`
  const waiting = online.reduce((sum, agent) => sum + agent.spooled, 0)
  if (waiting > 0) return `${waiting} results still wait at an agent.`
  return online.some((agent) => agent.eventLoopLagMs > lagLimitMs)
    ? 'An agent is overloaded: times are doubtful.'
    : undefined
}
