import { tmpdir } from 'node:os'
import type { Clock } from '@vedette/wire'
import { AgentKeys } from '../src/agents/keys/agent-keys.ts'
import { Presence } from '../src/agents/presence.ts'
import type { Database } from '../src/db/database.ts'
import { diskSpaceOf } from '../src/health/facts/disk-space.ts'
import type { HealthSources } from '../src/health/facts/collect-facts.ts'
import type { ScheduleCondition } from '../src/scheduling/dispatch.ts'
import type { HealthFacts } from '../src/health/facts/facts.ts'

/** Facts of a leading server with one check, at which nothing is wrong. */
export const healthyFacts = (): HealthFacts => ({
  now: Date.UTC(2026, 0, 5, 12),
  database: { answers: true, silentMs: 0, reason: null },
  leading: true,
  otherLeads: false,
  leaderlessMs: 0,
  leaseFault: null,
  leases: 'scheduler 1 0',
  schedule: { checks: 1, tickAgeMs: 1000, firstDueInMs: 9000, overdueMs: 0 },
  leaseAgeMs: 1000,
  notAskedMs: 1000,
  noAgentMs: 0,
  agents: [],
  locations: [],
  ingest: { commitAgeMs: 1000, failingMs: null, reason: null, works: true },
  unknownRuns: { count: 0, forMs: 0, cause: null },
  deliveryRoundMs: 1000,
  deliveryWorks: true,
  failingChannels: [],
  disk: { free: 50 * 1024 ** 3, size: 100 * 1024 ** 3, lowMs: 0 },
  openGaps: [],
  queue: { waiting: 0, leased: 0, limit: 100, overLimitMs: 0 },
  clockLeap: null,
  canary: null,
  deadman: null,
  countedMs: 7_200_000,
  complete: true,
})

/** Sources of a leading server without checks, with an agent-less presence, on the database. */
export function healthSources(db: Database, clock: Clock, changes: Partial<HealthSources> = {}): HealthSources {
  return {
    db,
    clock,
    diskSpace: () => diskSpaceOf(tmpdir()),
    schedule: () => idleSchedule(),
    ingest: () => ({ committedAt: undefined, failing: undefined }),
    unknownRuns: () => ({ count: 0, forMs: 0, cause: null }),
    deliveredAt: () => clock.monotonic(),
    agents: { presence: new Presence(clock), keys: new AgentKeys({ db, clock }) },
    canary: () => Promise.resolve(null),
    canaryAccount: '',
    deadman: () => null,
    ...changes,
  }
}

export const idleSchedule = (changes: Partial<ScheduleCondition> = {}): ScheduleCondition => ({
  leading: true,
  holder: 'this server',
  leaseFault: null,
  tickedAt: undefined,
  firstDue: Infinity,
  waiting: 0,
  leased: 0,
  checks: [],
  gaps: [],
  ...changes,
})
