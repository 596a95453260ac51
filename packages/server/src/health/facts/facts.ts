import type { LocationId } from '@vedette/wire'

/**
 * What is known of the installation at one moment. Ages and durations are of the monotonic clock; time in which this
 * process was suspended, or did not lead, does not count in them.
 */
export interface HealthFacts {
  /** Epoch milliseconds. */
  now: number
  database: { answers: boolean; silentMs: number; reason: string | null }
  leading: boolean
  /** Another server renews its lease of the schedule. */
  otherLeads: boolean
  /** For how long nobody has been known to lead. */
  leaderlessMs: number
  /** Why this server cannot take or renew the lease; null when it can, or another holds it. */
  leaseFault: string | null
  /** The leases as the database has them: the same for every server until one is taken or renewed. */
  leases: string
  schedule: {
    /** Checks of users in the schedule. */
    checks: number
    tickAgeMs: number | null
    /** Time until the first run is due, negative when it is late; null when none is planned. */
    firstDueInMs: number | null
    /** For how long something has been due without a tick. */
    overdueMs: number
  }
  leaseAgeMs: number | null
  /** The same, counted from the start of this process or term when none has asked since. */
  notAskedMs: number
  /** For how long no agent at all has called. */
  noAgentMs: number
  agents: readonly AgentFact[]
  /** Locations that activated checks use. */
  locations: readonly LocationFact[]
  ingest: {
    commitAgeMs: number | null
    failingMs: number | null
    reason: string | null
    /** Results were stored since ages count, and none has failed to be since. */
    works: boolean
  }
  /** Runs of users that ended as not known since the last one with a known outcome. */
  unknownRuns: { count: number; forMs: number; cause: string | null }
  /** Age of the last look for due notifications; the age of this process when there was none. */
  deliveryRoundMs: number
  /** There was one since ages count. */
  deliveryWorks: boolean
  failingChannels: readonly FailingChannels[]
  disk: { free: number; size: number; lowMs: number } | null
  openGaps: readonly LocationId[]
  queue: { waiting: number; leased: number; overLimitMs: number; limit: number }
  clockLeap: { byMs: number; agoMs: number } | null
  canary: CanaryFact | null
  /** null: no outside monitor is called. `accepted`: it took the last call. */
  deadman: { accepted: boolean; failingMs: number; reason: string | null } | null
  /** Since when ages count: the start of this process or term, or the end of a suspension. */
  countedMs: number
  /** Agents, locations, channels and the canary could be read at this look; otherwise those of before stand. */
  complete: boolean
}

export interface AgentFact {
  agentId: string
  /** Its location, or what it is. */
  name: string
  accountId: string | null
  silentMs: number
  /** Another agent of its key said hello since: it was restarted. */
  replaced: boolean
  /** Other agents of its key are online. */
  others: number
}

export interface LocationFact {
  id: LocationId
  name: string
  accountId: string | null
  /** Locations without an agent of their own share the built-in one. */
  served: 'by-builtin' | 'by-own'
  agents: number
  /** It has a key, and no agent has ever called with it. */
  awaited: boolean
  withoutAgentMs: number
}

export interface FailingChannels {
  accountId: string
  /** Each as people name it. */
  channels: readonly string[]
  since: number
}

/** The last run of the canary. */
export interface CanaryFact {
  /** When a test notification was last accepted, epoch milliseconds. */
  acceptedAt: number | null
  /** Why the last one did not arrive; null when it did. */
  failure: string | null
  /** The error at that step, if there was one. */
  reason: string | null
  failedAt: number | null
  /** For how long one that is overdue has been awaited; null when none is. */
  awaitedMs: number | null
}
