import { randomUUID } from 'node:crypto'
import type { EgressPolicy } from '@vedette/checks'
import type { Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import { readLocationsById } from '../../locations/store.ts'
import type { Vault } from '../../vault.ts'
import { readAccountVariables, type AccountVariables } from './account-variables.ts'
import type { ChannelMessage, DeliveringKind, ChannelSettings, SendOutcome } from '../channels/index.ts'
import { secretsByPath, unsealConfig, type SealedConfig } from '../channels/sealed-config.ts'
import { locationName } from '../notifications/location-name.ts'
import { ledgerText } from './ledger-text.ts'
import { ranEmulated } from './outbox-store.ts'

/** What deliveries need of the installation. */
export interface Outgoing {
  /** Which targets a notification may reach. Read before every attempt: listeners are known only after the start. */
  egress(): EgressPolicy
  settings: ChannelSettings
}

export interface DeliveryOptions extends Outgoing {
  db: Database
  clock: Clock
  vault: Vault
  /** Address of the web app, without a slash at the end. */
  baseUrl(): string
  signal?: AbortSignal
  random?: () => number
}

export interface StoredChannel extends SealedConfig {
  accountId: string
  channelId: number
}

/** One attempt: opens the channel's secrets, sends, and removes secrets from the response. */
export async function deliverToChannel(
  kind: DeliveringKind,
  channel: StoredChannel,
  what: Pick<ChannelMessage, 'notificationId' | 'attempt' | 'alert'>,
  options: DeliveryOptions,
): Promise<SendOutcome> {
  const { db, vault } = options
  const variables = await readAccountVariables(db.pool, vault, channel.accountId)
  const location = await shownLocation(db, what.alert)
  return deliverWith(kind, channel, { ...what, location }, { ...options, variables })
}

/** The same without the database: what a message needs of it is passed in. */
export async function deliverWith(
  kind: DeliveringKind,
  channel: StoredChannel,
  what: Pick<ChannelMessage, 'notificationId' | 'attempt' | 'alert' | 'location'>,
  options: Omit<DeliveryOptions, 'db'> & { variables: AccountVariables },
): Promise<SendOutcome> {
  const { vault, clock, settings, signal, random, variables } = options
  const owner = { account: channel.accountId, channelId: channel.channelId }
  const config = unsealConfig(vault, owner, kind, channel)
  const runtime = { now: () => clock.now(), random: () => random?.() ?? Math.random(), uuid: () => randomUUID() }
  const message = { ...what, variables: variables.values, baseUrl: options.baseUrl() }
  const context = { egress: options.egress(), clock, runtime, settings, ...(signal && { signal }) }
  const outcome = await kind.deliver(config, message, context)
  const secrets = [...secretsByPath(kind, config).values(), ...variables.hidden]
  return { ...outcome, response: ledgerText(outcome.response, secrets) }
}

/** Private locations are shown by their own name. A run that was not really there is not told as if it had been. */
async function shownLocation(
  db: Database,
  { location: id, resultId }: Pick<ChannelMessage['alert'], 'location' | 'resultId'>,
): Promise<ChannelMessage['location']> {
  if (id === null) return null
  const found = (await readLocationsById(db.pool, [id])).get(id)
  if (found !== undefined) return found
  return { slug: id, name: locationName(id, await ranEmulated(db.pool, resultId)) }
}
