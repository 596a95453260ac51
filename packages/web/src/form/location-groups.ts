import type { Agent } from '@vedette/wire'
import { isEmulated } from '../components/locations/emulated.ts'

export interface LocationGroup {
  title: string
  help: string
  members: string[]
  isFolded: boolean
}

type Known = Pick<Agent, 'kind' | 'state' | 'locations'>

/** Regions by where their runs really come from. A region that is chosen and has nobody is told as such. */
export function locationGroups(
  regions: readonly string[],
  agents: readonly Known[],
  chosen: readonly string[],
): LocationGroup[] {
  const own = agents.filter(({ kind }) => kind === 'data-center')
  const served = new Set(own.filter(({ state }) => state === 'online').flatMap((agent) => agent.locations))
  const silent = new Set(own.flatMap((agent) => agent.locations).filter((location) => !served.has(location)))
  const others = regions.filter((region) => !served.has(region) && !silent.has(region))
  const emulated = others.filter((region) => isEmulated(region, agents))
  const isChosen = (members: string[]) => members.some((each) => chosen.includes(each))
  return [
    {
      title: 'With an agent of their own',
      help: 'Runs come from an agent in the region.',
      members: regions.filter((region) => served.has(region)),
      isFolded: false,
    },
    {
      title: 'Agent is silent',
      help: 'These have an agent, and it has not been heard of: nothing runs there now.',
      members: regions.filter((region) => silent.has(region)),
      isFolded: false,
    },
    {
      title: 'No agent has come yet',
      help: 'These have a key, and no agent has connected with it: nothing runs there. A key that is not used can be revoked under Locations.',
      members: others.filter((region) => !emulated.includes(region)),
      isFolded: false,
    },
    {
      title: 'This server, emulated',
      help: 'The built-in agent of this server runs these under the name of the region: they tell nothing about the path from there.',
      members: emulated,
      isFolded: served.size > 0 && !isChosen(emulated),
    },
  ]
    .filter(({ members }) => members.length > 0)
    .map((group) => ({ ...group, members: group.members.toSorted() }))
}
