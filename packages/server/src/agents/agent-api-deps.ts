import type { AgentKeyKind, Clock, Job } from '@vedette/wire'
import type { AssetOwner, AssetStore } from '../assets/index.ts'
import type { Database } from '../db/database.ts'
import type { LeasedRun } from '../queue/run-queue.ts'
import type { Vault } from '../vault.ts'
import { ownAgentCalls, type OwnAgentCalls } from './keys/own-agent-calls.ts'
import type { AgentKeys } from './keys/agent-keys.ts'
import type { AgentWork } from './agent-work.ts'
import { JobSource } from './jobs/join-job.ts'
import { createLeaseTokens, type LeaseTokens } from './jobs/lease-token.ts'
import { Plans } from './plans/plans.ts'
import { Presence } from './presence.ts'
import { readRetryStrategies } from './store.ts'

/** Everything the routes of the agent protocol use. */
export interface AgentApiDeps {
  db: Database
  clock: Clock
  keys: AgentKeys
  presence: Presence
  /** The calls of the agent that this server started. */
  ownAgent: OwnAgentCalls
  tokens: LeaseTokens
  jobs: JobSource
  plans: Plans
  work: AgentWork
  leaseMs: number
  /** Called with the runs that an agent gets. */
  onLeased: (runs: readonly LeasedRun[]) => void
  assets: AssetStore
  /** Files of a result were stored. */
  onAssets: (owner: AssetOwner) => void
  log: AgentApiLog
}

interface AgentApiLog {
  error(details: object, text: string): void
}

export interface AgentApiOptions {
  db: Database
  clock: Clock
  vault: Vault
  keys: AgentKeys
  work: AgentWork
  /** How long the queue leases a run before it must be renewed. */
  leaseMs: number
  /** How long agents with a key of such a kind keep the schedule while no server answers; 0: not at all. */
  keepMs: (kind: AgentKeyKind) => number
  /** Which targets runs may reach, by the kind of location they run at. */
  egress: (kind: AgentKeyKind) => Job['egress']
  onLeased?: AgentApiDeps['onLeased']
  assets: AssetStore
  onAssets: (owner: AssetOwner) => void
  log: AgentApiLog
}

export function agentApiDeps({ vault, egress, keepMs, ...options }: AgentApiOptions): AgentApiDeps {
  const { db, clock, keys, work, log } = options
  const tokens = createLeaseTokens(vault.deriveKey('lease'))
  const jobs = new JobSource({ db, vault, clock, tokens, egress })
  const presence = new Presence(clock)
  const retryStrategies = (checkIds: readonly string[]) => readRetryStrategies(db.pool, checkIds)
  keys.onGone((keyId) => void work.releaseOf(keyId))
  return {
    ...options,
    presence,
    ownAgent: ownAgentCalls(clock),
    tokens,
    jobs,
    plans: new Plans({ clock, tokens, jobs, work, presence, retryStrategies, log, keepMs }),
    onLeased: options.onLeased ?? (() => undefined),
  }
}
