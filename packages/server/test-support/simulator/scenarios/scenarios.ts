import { ofAgents } from './agents.ts'
import { ofChecks } from './checks-and-locations.ts'
import { ofParents } from './parents.ts'
import { ofPlans } from './plans.ts'
import type { Scenario } from './scenario.ts'
import { ofServers } from './servers.ts'
import { ofSignal } from './signal.ts'

/**
 * Scenarios for the database at hand: the embedded one has one server. What the simulated world does not have is held
 * elsewhere: assertions that keep a thread busy by `assertion-fairness.test.ts`, what a look at many open
 * notifications reads by `outbox-work.slow.test.ts`, mute sockets by `silent-server.postgresql.test.ts`, errors of a host without network
 * by `own-network.test.ts`, a built-in agent that is stopped by `local-agent.test.ts`.
 */
export const scenariosFor = (kind: 'embedded' | 'postgresql'): Scenario[] =>
  [...ofChecks, ...ofAgents, ...ofParents, ...ofPlans, ...ofServers, ...ofSignal].filter(
    ({ script }) => kind === 'postgresql' || script.servers.length === 1,
  )
