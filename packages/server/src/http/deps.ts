import type { Clock, LocationId } from '@vedette/wire'
import type { Outgoing } from '../alerting/delivery/deliver-to-channel.ts'
import type { Database } from '../db/database.ts'
import type { Authenticator } from './authenticate.ts'
import type { Vault } from '../vault.ts'

export interface CheckChange {
  change: 'created' | 'updated' | 'deleted'
  /** Run it once at once: it is new, was activated, or does something else now. */
  runNow: boolean
}

interface StartedRun {
  checkRunId: number
  resultIds: string[]
}

interface DryRunWish {
  accountId: string
  /** Name of the check type. */
  type: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
  location: LocationId
}

/** What the API asks of the scheduler. Called after the transaction has committed. */
export interface ApiHooks {
  checkChanged(checkId: string, change: CheckChange): void | Promise<void>
  /** The settings in force of these checks were stored anew. */
  checksChanged(checkIds: readonly string[]): void | Promise<void>
  /** The next run must see the new values. */
  variablesChanged(accountId: string): void
  /** Undefined when the check cannot run now. */
  runNow(accountId: string, checkId: string): Promise<StartedRun | undefined>
  /** Undefined when no agent answered in time. */
  dryRun(dryRun: DryRunWish): Promise<Record<string, unknown> | undefined>
}

/** Everything the routes of the management API may use. */
export interface ApiDeps {
  db: Database
  clock: Clock
  vault: Vault
  hooks: ApiHooks
  /** How test messages are sent. Undefined where this server sends no notifications. */
  outgoing?: Outgoing
  /** The one that the server signs callers in with: revoking a key empties its cache. */
  authenticate: Authenticator
  /** Where people reach the web app, without a slash at the end. Known once the server listens. */
  baseUrl: () => string
}
