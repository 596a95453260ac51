import type { AgentKeyKind, Clock, Job } from '@vedette/wire'
import type { AssetOwner, AssetStore } from '../assets/index.ts'
import type { Database } from '../db/database.ts'
import type { Vault } from '../vault.ts'
import { ownAgentCalls, type OwnAgentCalls } from './keys/own-agent-calls.ts'
import type { AgentKeys } from './keys/agent-keys.ts'
import type { AgentWork } from './agent-work.ts'
import { JobSource } from './jobs/join-job.ts'
import { createLeaseTokens, type LeaseTokens } from './jobs/lease-token.ts'
import { Presence } from './presence.ts'

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
  work: AgentWork
  leaseMs: number
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
  /** Which targets runs may reach, by the kind of location they run at. */
  egress: (kind: AgentKeyKind) => Job['egress']
  assets: AssetStore
  onAssets: (owner: AssetOwner) => void
  log: AgentApiLog
}

export function agentApiDeps({ vault, egress, ...options }: AgentApiOptions): AgentApiDeps {
  const { db, clock } = options
  const tokens = createLeaseTokens(vault.deriveKey('lease'))
  return {
    ...options,
    presence: new Presence(clock),
    ownAgent: ownAgentCalls(clock),
    tokens,
    jobs: new JobSource({ db, vault, clock, tokens, egress }),
  }
}
