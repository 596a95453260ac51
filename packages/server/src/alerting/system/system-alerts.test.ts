import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { letPromisesRun, TestClock } from '../../../test-support/clock.ts'
import { countDatabaseWork } from '../../../test-support/database-work.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { openReceiver, type Receiver } from '../../../test-support/receiver.ts'
import { testVault } from '../../../test-support/vault.ts'
import type { Trouble } from '../../trouble.ts'
import { channelKinds } from '../channels/index.ts'
import { createSender, type Sender } from '../delivery/sender.ts'
import { DirectDelivery } from './direct-delivery.ts'
import { SystemAlerts } from './system-alerts.ts'

const database = useEmptiedDatabase()
const { counting, settle } = countDatabaseWork()
const minute = 60_000
let clock: TestClock
let receiver: Receiver
let isDown: boolean
let sender: Sender
let alerts: SystemAlerts
let direct: DirectDelivery
/** Every write of the leader ends with it. */
let fault: Error | undefined
const noSpace = new Error('No space left on device')
const lostTerm = new Error('This process does not lead.')
let accountId: string

const trouble: Trouble = {
  key: 'RESULTS_NOT_STORED',
  code: 'RESULTS_NOT_STORED',
  severity: 'critical',
  subject: 'Vedette',
  accountId: null,
  location: null,
  title: 'Results cannot be stored',
  over: 'Results are stored again',
  text: 'No space left on device.',
  advice: 'Make room.',
  since: Date.UTC(2026, 0, 5, 11, 59),
}

function start(): void {
  const db = counting(databaseAtTimeOf(database.db, clock))
  const outgoing = {
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    settings: {},
    baseUrl: () => 'http://v',
  }
  const log = { error: () => undefined, warn: () => undefined }
  sender = createSender({ db, clock, vault: testVault, ...outgoing })
  sender.start()
  direct = new DirectDelivery({ db, clock, vault: testVault, kinds: channelKinds, log, ...outgoing })
  alerts = new SystemAlerts({
    db,
    clock,
    direct,
    write: (work) => (fault === undefined ? db.transaction(work) : Promise.reject(fault)),
    lostTerm: (error) => error === lostTerm,
    alertedAfterMs: 30_000,
    overAfterMs: 5 * minute,
    onQueued: () => sender.wake(),
    log,
  })
}

/** Looks every five seconds, as the health of a server does. */
async function lookFor(
  ms: number,
  troubles: readonly Trouble[],
  changes: { mayTell?: boolean; canStore?: boolean } = {},
) {
  for (let passed = 0; passed < ms; passed += 5000) {
    if (changes.canStore !== false) await direct.refresh()
    await alerts.look({ troubles, mayTell: true, canStore: true, outboxWorks: true, ...changes })
    await passFive()
  }
}

/** Attempts go over real sockets: time stands still until they have ended. */
async function passFive(): Promise<void> {
  await clock.advance(5000)
  const claimed = 'SELECT 1 FROM alert_notifications WHERE claimed_by IS NOT NULL'
  while ((await database.db.pool.query(claimed)).rows.length > 0) await letPromisesRun()
}

const told = () => receiver.deliveries.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
const ledger = async () =>
  (
    await database.db.pool.query<{ status: string; attempts: number; id: string }>(
      `SELECT n.id, n.status, n.attempts, n.message->>'alertType' AS type FROM alert_notifications n ORDER BY queued_at`,
    )
  ).rows
const settled = async (status = 'SUCCESS') => {
  while ((await ledger()).some((row) => row.status !== status)) await clock.advance(0)
}

beforeEach(async () => {
  const { db } = database
  await db.pool.query('TRUNCATE accounts, check_alerts, system_troubles CASCADE')
  clock = new TestClock(undefined, settle)
  isDown = false
  receiver = await openReceiver((response) => void (isDown ? response.destroy() : response.end()))
  fault = undefined
  const check = await givenCheck({ db })
  accountId = check.accountId
  const of = { accountId, checkId: check.id }
  const config = { url: receiver.base, headers: [{ key: 'x-key', value: 'hush', locked: true }] }
  await givenChannel({ db, vault: testVault }, of, { config })
  await db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
  await givenChannel({ db, vault: testVault }, of, { config: { url: `${receiver.base}/not-subscribed` } })
  start()
})
afterEach(async () => {
  await sender.stop()
  await receiver.close()
})

test('a trouble that lasts is told once to channels that take everything, and its end once', async () => {
  await lookFor(10 * minute, [trouble])
  await receiver.received(1)
  await lookFor(4 * minute, [])
  expect(told()).toHaveLength(1)
  await lookFor(minute + 5000, [])
  await receiver.received(2)
  expect(told()).toMatchObject([
    {
      ALERT_TITLE: 'Vedette: Results cannot be stored',
      ALERT_TYPE: 'ALERT_SYSTEM',
      CHECK_NAME: 'Vedette',
      CHECK_ID: null,
      CHECK_ERROR_MESSAGE: 'No space left on device.',
      ADVICE: 'Make room.',
      STATE_SINCE: '2026-01-05T11:59:00.000Z',
      RESULT_LINK: 'http://v/settings',
    },
    {
      ALERT_TITLE: 'Vedette: Results are stored again',
      ALERT_TYPE: 'ALERT_SYSTEM_RECOVERY',
      CHECK_ERROR_MESSAGE: null,
    },
  ])
  expect(receiver.deliveries.every(({ url }) => url === '/')).toBe(true)
  await settled()
})

test('one that comes and goes is one trouble, and a short one none', async () => {
  await lookFor(25_000, [trouble])
  await lookFor(10_000, [])
  for (let turn = 0; turn < 4; turn++) {
    await lookFor(40_000, [trouble])
    await lookFor(2 * minute, [])
  }
  await receiver.received(1)
  await settled()
  expect(told()).toHaveLength(1)
})

test('a restart neither repeats it nor forgets its end', async () => {
  await lookFor(minute, [trouble])
  await receiver.received(1)
  await settled()
  await sender.stop()
  start()
  await lookFor(2 * minute, [trouble])
  await lookFor(6 * minute, [])
  await receiver.received(2)
  await settled()
  expect(told().map(({ ALERT_TYPE }) => ALERT_TYPE)).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
  expect((await database.db.pool.query('SELECT * FROM system_troubles')).rows).toEqual([])
})

test('when nothing can be stored it is sent directly, with its secrets, and written down later, never twice', async () => {
  await lookFor(5000, [])
  fault = noSpace
  await lookFor(2 * minute, [trouble])
  const [delivery] = await receiver.received(1)
  expect(delivery?.headers).toMatchObject({ 'x-key': 'hush', 'webhook-id': expect.any(String) })
  expect(await ledger()).toEqual([])
  fault = undefined
  await lookFor(minute, [trouble])
  expect(await ledger()).toMatchObject([{ id: delivery?.headers['webhook-id'], status: 'SUCCESS', attempts: 1 }])
  await lookFor(6 * minute, [])
  await receiver.received(2)
  await settled()
  expect(told().map(({ ALERT_TYPE }) => ALERT_TYPE)).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
})

test('when the database is away both are sent, and written down in order when it is back', async () => {
  await lookFor(5000, [])
  fault = noSpace
  await lookFor(minute, [trouble], { canStore: false })
  await receiver.received(1)
  await lookFor(6 * minute, [], { canStore: false })
  await receiver.received(2)
  fault = undefined
  await lookFor(10_000, [])
  expect(await ledger()).toMatchObject([
    { type: 'ALERT_SYSTEM', status: 'SUCCESS' },
    { type: 'ALERT_SYSTEM_RECOVERY', status: 'SUCCESS' },
  ])
  expect(told()).toHaveLength(2)
})

test('what was not accepted directly is tried again by the outbox under the same id', async () => {
  await receiver.close()
  const { port } = receiver
  await lookFor(5000, [])
  fault = noSpace
  await lookFor(minute, [trouble])
  fault = undefined
  await lookFor(minute, [trouble])
  const [row] = await ledger()
  expect(row).toMatchObject({ status: 'IN_PROGRESS' })
  receiver = await openReceiver(undefined, port)
  while (receiver.deliveries.length === 0) await passFive()
  await settled()
  expect(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).toEqual([row?.id])
})

test('a server that does not lead tells nothing', async () => {
  await lookFor(5 * minute, [trouble], { mayTell: false })
  expect(await ledger()).toEqual([])
  expect(receiver.deliveries).toEqual([])
})

test('one that lost the lead just now leaves it to the leader', async () => {
  await lookFor(5000, [])
  fault = lostTerm
  await lookFor(2 * minute, [trouble])
  expect(receiver.deliveries).toEqual([])
})

test('what was told without the database is ended by who told it, also when another server leads by then', async () => {
  await lookFor(5000, [])
  await lookFor(minute, [trouble], { canStore: false })
  await receiver.received(1)
  fault = lostTerm
  await lookFor(6 * minute, [], { mayTell: false })
  await receiver.received(2)
  await lookFor(10_000, [], { mayTell: false })
  expect(await ledger()).toMatchObject([
    { type: 'ALERT_SYSTEM', status: 'SUCCESS' },
    { type: 'ALERT_SYSTEM_RECOVERY', status: 'SUCCESS' },
  ])
  expect(told()).toHaveLength(2)
})

test('a trouble of one account is told to that account alone', async () => {
  await lookFor(minute, [{ ...trouble, accountId: '00000000-0000-4000-8000-000000000009' }])
  expect(await ledger()).toEqual([])
  await lookFor(minute, [{ ...trouble, key: 'other', accountId, subject: 'Office' }])
  await receiver.received(1)
  expect(told()).toMatchObject([{ CHECK_NAME: 'Office' }])
})

const accepted = async () =>
  (
    await database.db.pool.query<{ type: string }>(
      `SELECT message->>'alertType' AS type FROM alert_notifications WHERE accepted_at IS NOT NULL ORDER BY accepted_at`,
    )
  ).rows.map(({ type }) => type)

test('the end of a trouble does not overtake its beginning', { timeout: 60_000 }, async () => {
  isDown = true
  await lookFor(15.5 * minute, [trouble])
  await lookFor(280_000, [])
  isDown = false
  await lookFor(400_000, [])
  expect(await accepted()).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
})

test('one that is tried again does not wait for the old time when the clock is set back', async () => {
  isDown = true
  await lookFor(40_000, [trouble])
  await receiver.received(1)
  isDown = false
  clock.setWall(-60 * minute)
  await lookFor(minute, [trouble])
  expect(await accepted()).toEqual(['ALERT_SYSTEM'])
})
