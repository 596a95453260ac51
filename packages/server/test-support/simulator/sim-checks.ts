import { completeAlertSettings, type AlertSettings } from '@vedette/wire'
import type { Database } from '../../src/db/database.ts'
import { givenCheck } from '../checks.ts'
import type { Random } from './random.ts'

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
}

/** The same seed gives the same ids, from which due times follow. */
export function seededUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

const strategies = [
  { doubleCheck: true, retryStrategy: null },
  { doubleCheck: false, retryStrategy: null },
  { doubleCheck: false, retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 3, sameRegion: false } },
  {
    doubleCheck: false,
    retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 5, maxRetries: 3, maxDurationSeconds: 40 },
  },
  {
    doubleCheck: false,
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 1, maxRetries: 2, onlyOn: ['NETWORK_ERROR'] },
  },
]

function randomSettings(random: Random): AlertSettings {
  return completeAlertSettings({
    escalationType: random.chance(0.2) ? 'TIME_BASED' : 'RUN_BASED',
    runBasedEscalation: { failedRunThreshold: random.between(1, 3) },
    parallelRunFailureThreshold: { enabled: random.chance(0.3), percentage: 50 },
  })
}

/** Writes one random check as its creation does, subscribed to the channel. */
export async function givenSimCheck(
  db: Database,
  random: Random,
  { accountId, channelId, now }: { accountId: string; channelId: number; now: number },
): Promise<SimCheck> {
  const check: SimCheck = {
    id: seededUuid(random),
    accountId,
    ...random.pick([
      { frequency: 0, frequencyOffset: 20 },
      { frequency: 0, frequencyOffset: 30 },
      { frequency: 1, frequencyOffset: 5 },
    ]),
    locations: simLocations.slice(0, random.between(1, simLocations.length)),
    runParallel: random.chance(0.35),
    muted: random.chance(0.1),
    settings: randomSettings(random),
    createdAt: now,
  }
  await insertCheck(db, check, { ...random.pick(strategies) })
  await db.pool.query(
    `INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)`,
    [accountId, channelId, check.id],
  )
  return check
}

async function insertCheck(db: Database, check: SimCheck, retries: Record<string, unknown>): Promise<void> {
  const { id, accountId, createdAt, frequency, frequencyOffset, locations, runParallel, muted, settings } = check
  const own = { frequency, frequencyOffset, locations, runParallel, muted, alertSettings: settings }
  const definition = { ...retries, ...own, useGlobalAlertSettings: false }
  await givenCheck({ db, clock: { now: () => createdAt } }, { id, accountId, definition })
}
