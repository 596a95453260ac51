import type { Agent } from '@vedette/wire'

/**
 * Whether the built-in agent stands in for a location. It does not where there is an agent, nor where there is a key that no
 * agent has used yet: nothing runs there.
 */
export function isEmulated(location: string, agents: readonly Pick<Agent, 'kind' | 'locations'>[]): boolean {
  const serving = agents.filter((agent) => agent.locations.includes(location))
  return serving.length > 0 && serving.every(({ kind }) => kind === 'builtin')
}
