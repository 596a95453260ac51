import type { CheckResult } from '@vedette/checks'
import type { AddressesOfRegion, Clock } from '@vedette/wire'
import type { Outgoing } from '../alerting/delivery/deliver-to-channel.ts'
import type { AssetStore } from '../assets/index.ts'
import type { Database } from '../db/database.ts'
import type { Authenticator } from '../access/authenticator.ts'
import type { Write } from '../access/write.ts'
import type { SeenAgent } from '../locations/seen-agent.ts'
import type { DryRunRequest } from '../runs.ts'
import type { SessionEnds } from '../sessions/index.ts'
import type { Vault } from '../vault.ts'

export interface CheckChange {
  change: 'created' | 'updated' | 'deleted'
  /** Run it now: it is new, was activated, or its definition changed. */
  runNow: boolean
}

export interface ChangeOfCheck extends CheckChange {
  checkId: string
}

/** Calls of the API to the scheduler, made after the transaction has committed. */
export interface ApiHooks {
  checkChanged(checkId: string, change: CheckChange): void | Promise<void>
  /** The same of many checks that were changed at once. */
  manyChanged(accountId: string, changes: readonly ChangeOfCheck[]): void | Promise<void>
  /** Somebody acknowledged the trouble of the check, or took that back. */
  acknowledged(accountId: string, checkId: string): void
  /** The settings in force of these checks changed. */
  checksChanged(checkIds: readonly string[]): void | Promise<void>
  /** Keys or locations of agents were written: the next call of an agent is judged by them. */
  locationsChanged(): void
  /** The next run must use the new values. */
  variablesChanged(accountId: string): void
  /** The next run must present the client certificates that there are now. */
  certificatesChanged(accountId: string): void
  /** Runs of these checks were stored: the schedule reads them. */
  runsRequested(checkIds: readonly string[]): void | Promise<void>
  /** Runs of these sessions were cancelled: they are handed out no more. */
  sessionsCancelled(sessionIds: readonly string[]): void | Promise<void>
  /** Undefined when no agent answered in time. */
  dryRun(dryRun: DryRunRequest): Promise<CheckResult | undefined>
}

/** Everything the routes and verbs of the management API may use. */
export interface ApiDeps {
  db: Database
  clock: Clock
  vault: Vault
  /** Makes every change: with transaction, audit log and announcement. */
  write: Write
  hooks: ApiHooks
  /** Contents of files of results. */
  assets: AssetStore
  /** Wakes callers that wait for the end of a session. */
  sessionEnds: SessionEnds
  /** Sends test messages. Undefined where this server sends no notifications. */
  outgoing?: Outgoing
  /** Signs callers in: revoking a key empties its cache. */
  authenticate: Authenticator
  /** Agents of private locations that this server has heard of. Undefined while another one hands out runs. */
  agentsSeen: () => readonly SeenAgent[] | undefined
  /** Addresses from which agents reach their targets, as the operator states them. */
  staticIps: readonly AddressesOfRegion[]
  /** Address of the web app, without a slash at the end. Known once the server listens. */
  baseUrl: () => string
}
