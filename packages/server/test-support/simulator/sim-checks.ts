import { randomUUID } from 'node:crypto'
import { checkTypeOf, completeDefinition } from '@vedette/checks'
import type { AlertSettings } from '@vedette/wire'
import type { Database } from '../../src/db/database.ts'
import { givenCheck } from '../checks.ts'
import type { Random } from './random.ts'
import type { CheckPlan } from './script.ts'

export const simLocations = ['eu-west-1', 'us-east-1', 'ap-south-1'] as const

/** A check of the simulation, as the invariants use it. */
export interface SimCheck {
  id: string
  accountId: string
  frequency: number
  frequencyOffset: number
  locations: string[]
  runParallel: boolean
  muted: boolean
  settings: AlertSettings
  createdAt: number
  /** Ids of the checks that it depends on. */
  parents: readonly string[]
}

/** The same seed gives the same ids, from which due times follow. */
export function seededUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Who gets the notifications of a simulation. */
export interface Listener {
  accountId: string
  channelId: number
  /** A second channel, which no check is subscribed to at the beginning. */
  otherChannelId: number
}

/** An account with its channels. The first one is told of the installation itself. */
export async function givenListener(db: Database): Promise<Listener> {
  const accountId = randomUUID()
  await db.pool.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, 'Simulated', '{}', '{}', now())`,
    [accountId],
  )
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded, ssl_expiry,
       ssl_expiry_threshold, auto_subscribe, version, created_at)
     SELECT $1, 'WEBHOOK', '{}', '{}', true, true, true, false, 30, nth = 1, 1, now() FROM generate_series(1, 2) AS nth
     RETURNING id`,
    [accountId],
  )
  return { accountId, channelId: rows[0]?.id ?? 0, otherChannelId: rows[1]?.id ?? 0 }
}

/** Writes a check as its creation does, subscribed to the channel. */
export async function givenSimCheck(
  db: Database,
  { id, sent }: CheckPlan,
  { accountId, channelId, now }: { accountId: string; channelId: number; now: number },
): Promise<SimCheck> {
  const type = checkTypeOf('API')
  if (type === undefined) throw new Error('There are no API checks.')
  const common = { name: 'Shop', request: { method: 'GET', url: 'https://shop.example.com/' } }
  const definition = completeDefinition(type, { ...common, useGlobalAlertSettings: false, ...sent }, id)
  await givenCheck({ db, clock: { now: () => now } }, { id, accountId, definition })
  await subscribe(db, accountId, channelId, id)
  return simCheckOf(definition, { id, accountId, createdAt: now, parents: [] })
}

/** What the invariants use of a definition. */
export function simCheckOf(
  definition: Record<string, unknown>,
  { id, accountId, createdAt, parents }: Pick<SimCheck, 'id' | 'accountId' | 'createdAt' | 'parents'>,
): SimCheck {
  return {
    id,
    accountId,
    createdAt,
    parents,
    frequency: definition['frequency'] as number,
    frequencyOffset: definition['frequencyOffset'] as number,
    locations: definition['locations'] as string[],
    runParallel: definition['runParallel'] === true,
    muted: definition['muted'] === true,
    settings: definition['alertSettings'] as AlertSettings,
  }
}

export async function subscribe(db: Database, accountId: string, channelId: number, checkId: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)`,
    [accountId, channelId, checkId],
  )
}
