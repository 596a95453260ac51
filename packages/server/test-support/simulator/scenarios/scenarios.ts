import { ofAgents } from './agents.ts'
import { ofChecks } from './checks-and-locations.ts'
import type { Scenario } from './scenario.ts'
import { ofServers } from './servers.ts'
import { ofSignal } from './signal.ts'

/** Scenarios for the database at hand: the embedded one has one server. */
export const scenariosFor = (kind: 'embedded' | 'postgresql'): Scenario[] =>
  [...ofChecks, ...ofAgents, ...ofServers, ...ofSignal].filter(
    ({ script }) => kind === 'postgresql' || script.servers.length === 1,
  )
