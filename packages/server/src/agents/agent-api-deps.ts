import type { AgentKeyKind, Clock, Job } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { LeasedRun } from '../queue/run-queue.ts'
import type { Vault } from '../vault.ts'
import { ownAgentCalls, type OwnAgentCalls } from './keys/own-agent-calls.ts'
import type { AgentKeys } from './keys/agent-keys.ts'
import type { AgentWork } from './agent-work.ts'
import { JobSource } from './jobs/join-job.ts'
import { createLeaseTokens, type LeaseTokens } from './jobs/lease-token.ts'
import { Presence } from './presence.ts'

/** Everything the routes of the agent protocol use. */
export interface AgentApiDeps {
  clock: Clock
  keys: AgentKeys
  presence: Presence
  /** The calls of the agent that this server started. */
  ownAgent: OwnAgentCalls
  tokens: LeaseTokens
  jobs: JobSource
  work: AgentWork
  leaseMs: number
  /** Called with the runs that an agent gets. */
  onLeased: (runs: readonly LeasedRun[]) => void
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
  /** Which targets runs may reach, by the kind of location they run at. */
  egress: (kind: AgentKeyKind) => Job['egress']
  onLeased?: AgentApiDeps['onLeased']
  log: AgentApiLog
}

export function agentApiDeps(options: AgentApiOptions): AgentApiDeps {
  const { db, clock, vault, keys, work, leaseMs, egress, onLeased = () => undefined, log } = options
  const tokens = createLeaseTokens(vault.deriveKey('lease'))
  keys.onGone((keyId) => void work.releaseOf(keyId))
  return {
    clock,
    keys,
    presence: new Presence(clock),
    ownAgent: ownAgentCalls(clock),
    tokens,
    jobs: new JobSource({ db, vault, clock, tokens, egress }),
    work,
    leaseMs,
    onLeased,
    log,
  }
}
