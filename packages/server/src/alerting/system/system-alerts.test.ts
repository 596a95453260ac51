import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { letPromisesRun, TestClock } from '../../../test-support/clock.ts'
import { countDatabaseWork } from '../../../test-support/database-work.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { openReceiver, type Receiver } from '../../../test-support/receiver.ts'
import { troubleOf } from '../../../test-support/troubles.ts'
import { testVault } from '../../../test-support/vault.ts'
import type { Trouble } from '../../trouble.ts'
import { channelKinds } from '../channels/index.ts'
import { createSender, type Sender } from '../delivery/sender.ts'
import { DirectDelivery } from './direct-delivery.ts'
import { toldFile, type ToldFile } from './told-file.ts'
import { SystemAlerts, type HealthLook } from './system-alerts.ts'

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
/** Neither reading nor writing of the file works. */
let diskFault: Error | undefined
/** The database does not answer questions any more. */
let hangs: boolean
let accountId: string
let folder: string

const trouble = troubleOf('RESULTS_NOT_STORED', {
  title: 'Results cannot be stored',
  over: 'Results are stored again',
  text: 'No space left on device.',
  advice: 'Make room.',
  since: Date.UTC(2026, 0, 5, 11, 59),
})

const faultyFile = (file: ToldFile): ToldFile => ({
  load: () => (diskFault === undefined ? file.load() : Promise.reject(diskFault)),
  save: (what) => (diskFault === undefined ? file.save(what) : Promise.reject(diskFault)),
})

function start(file = 'told.json'): void {
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
    told: faultyFile(toldFile(join(folder, file))),
    write: (work) => (fault === undefined ? db.transaction(work) : Promise.reject(fault)),
    within: (_what, work) => (hangs ? Promise.reject(new Error('It took too long.')) : work),
    lostTerm: (error) => error === lostTerm,
    alertedAfterMs: 30_000,
    overAfterMs: 5 * minute,
    onQueued: () => sender.wake(),
    log,
  })
}

/** Looks every five seconds, as the health of a server does. */
async function lookFor(ms: number, troubles: readonly Trouble[], changes: Partial<HealthLook> = {}) {
  for (let passed = 0; passed < ms; passed += 5000) {
    if (changes.answers !== false) await direct.refresh()
    const endOf = ({ over }: Trouble) => over
    await alerts.look({
      troubles,
      endOf,
      mayTell: true,
      answers: true,
      leading: true,
      outboxWorks: true,
      ...changes,
    })
    await passFive()
  }
}

/** Attempts go over real sockets: time stands still until they have ended. */
async function passFive(): Promise<void> {
  await clock.advance(5000)
  const claimed = 'SELECT 1 FROM alert_notifications WHERE claimed_by IS NOT NULL'
  while ((await database.db.pool.query(claimed)).rows.length > 0) await letPromisesRun()
}

const standby = { endOf: () => undefined, mayTell: false, answers: true, leading: false, outboxWorks: true }
const told = () => receiver.deliveries.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
const ledger = async () =>
  (
    await database.db.pool.query<{ status: string; attempts: number; id: string; type: string }>(
      `SELECT n.id, n.status, n.attempts, n.message->>'alertType' AS type FROM alert_notifications n ORDER BY seq`,
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
  folder = await mkdtemp(join(tmpdir(), 'vedette-told-'))
  receiver = await openReceiver((response) => void (isDown ? response.destroy() : response.end()))
  fault = undefined
  diskFault = undefined
  hangs = false
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
  await rm(folder, { recursive: true })
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
  await lookFor(minute, [trouble], { answers: false, leading: false })
  await receiver.received(1)
  await lookFor(6 * minute, [], { answers: false, leading: false })
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

test('a channel that was added a moment before is told directly too, while the database can be read', async () => {
  await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = false')
  await lookFor(5000, [])
  await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
  fault = noSpace
  await lookFor(40_000, [trouble], { outboxWorks: false })
  await receiver.received(2)
})

test('a database that hangs between two questions holds nothing up', async () => {
  await lookFor(5000, [])
  ;[fault, hangs] = [noSpace, true]
  await lookFor(minute, [trouble])
  await receiver.received(1)
})

test('a server that does not lead tells nothing', async () => {
  await lookFor(5 * minute, [trouble], { mayTell: false, leading: false })
  expect(await ledger()).toEqual([])
  expect(receiver.deliveries).toEqual([])
})

test('one that lost the lead just now leaves it to the leader', async () => {
  await lookFor(5000, [])
  fault = lostTerm
  await lookFor(2 * minute, [trouble])
  expect(receiver.deliveries).toEqual([])
})

test('what was told without the database is written down for the server that leads by then, which ends it', async () => {
  await lookFor(5000, [])
  await lookFor(minute, [trouble], { answers: false, leading: false })
  await receiver.received(1)
  const former = alerts
  await former.look({ ...standby, troubles: [trouble] })
  expect(await ledger()).toMatchObject([{ type: 'ALERT_SYSTEM', status: 'SUCCESS' }])
  await sender.stop()
  start()
  await lookFor(2 * minute, [trouble])
  expect(told()).toHaveLength(1)
  await lookFor(6 * minute, [])
  await receiver.received(2)
  await former.look({ ...standby, troubles: [] })
  await settled()
  expect((await ledger()).map(({ type }) => type)).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
  expect(told()).toHaveLength(2)
})

test('a server that lost its lease to a database without writes tells directly, although the database answers', async () => {
  await lookFor(5000, [])
  fault = lostTerm
  await lookFor(minute, [trouble], { leading: false })
  await receiver.received(1)
  fault = undefined
  await lookFor(minute, [trouble])
  expect(await ledger()).toMatchObject([{ type: 'ALERT_SYSTEM', status: 'SUCCESS' }])
  expect(told()).toHaveLength(1)
})

test('two servers that stand by tell that nobody schedules under the same ids, and it is written down once', async () => {
  const leaderless: Trouble = { ...trouble, key: 'NO_SCHEDULER', code: 'NO_SCHEDULER', occurrence: 'scheduler 7 100' }
  fault = lostTerm
  await lookFor(minute, [leaderless], { leading: false })
  await receiver.received(1)
  const first = alerts
  await sender.stop()
  start('another-server.json')
  await lookFor(minute, [leaderless], { leading: false })
  const [one, two] = await receiver.received(2)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  fault = undefined
  for (const each of [first, alerts]) await each.look({ ...standby, troubles: [] })
  expect(await ledger()).toMatchObject([{ id: one?.headers['webhook-id'], type: 'ALERT_SYSTEM', status: 'SUCCESS' }])
  // The next time it is another one.
  await lookFor(6 * minute, [])
  fault = lostTerm
  await lookFor(minute, [{ ...leaderless, occurrence: 'scheduler 8 200' }], { leading: false })
  const [again] = (await receiver.received(4)).slice(3)
  expect(again?.headers['webhook-id']).not.toBe(one?.headers['webhook-id'])
})

describe('the end of a trouble', () => {
  test('is not told while nobody knows whether it is over, as after a restart', async () => {
    await lookFor(minute, [trouble])
    await receiver.received(1)
    await sender.stop()
    start()
    await lookFor(20 * minute, [], { endOf: () => undefined })
    await lookFor(minute, [trouble])
    await settled()
    expect(told()).toHaveLength(1)
    expect((await database.db.pool.query('SELECT key FROM system_troubles')).rows).toHaveLength(1)
  })

  test('is told in words of its own when it ended because it was switched off', async () => {
    await lookFor(minute, [trouble])
    await lookFor(6 * minute, [], { endOf: () => 'Nothing is stored any more' })
    await receiver.received(2)
    await settled()
    expect(told()[1]).toMatchObject({ ALERT_TITLE: 'Vedette: Nothing is stored any more' })
  })

  test('is not told to a channel that does not know of it', async () => {
    await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = false')
    await lookFor(minute, [trouble], { outboxWorks: true })
    await lookFor(6 * minute - 35_000, [])
    await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
    await lookFor(minute, [])
    await settled()
    expect(told()).toEqual([])
  })
})

describe('a channel that does not know of a trouble that lasts', () => {
  test('because it was added meanwhile is told, and its end too', async () => {
    await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = false')
    await lookFor(minute, [trouble])
    await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
    await lookFor(2 * minute, [trouble])
    await receiver.received(2)
    await settled()
    expect(told().map(({ ALERT_TYPE }) => ALERT_TYPE)).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM'])
    await lookFor(6 * minute, [])
    await settled()
    expect(
      told()
        .map(({ ALERT_TYPE }) => ALERT_TYPE)
        .slice(2),
    ).toEqual(['ALERT_SYSTEM_RECOVERY', 'ALERT_SYSTEM_RECOVERY'])
  })

  test('because it gave up is told again', async () => {
    await lookFor(minute, [trouble])
    await settled()
    await database.db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE', accepted_at = NULL`)
    await lookFor(30 * minute, [trouble])
    const { rows } = await database.db.pool.query<{ round: number; status: string }>(
      'SELECT round, status FROM alert_notifications ORDER BY round',
    )
    expect(rows).toEqual([
      { round: 0, status: 'FAILURE' },
      { round: 1, status: 'SUCCESS' },
    ])
  })
})

describe('what was told without the database, and not written down before a restart,', () => {
  const restart = async () => {
    await sender.stop()
    start()
  }

  test('is not told again, and its end is told', async () => {
    await lookFor(5000, [])
    fault = noSpace
    await lookFor(2 * minute, [trouble])
    await receiver.received(1)
    await lookFor(5000, [trouble])
    await restart()
    await lookFor(2 * minute, [trouble])
    fault = undefined
    await lookFor(minute, [trouble])
    expect(await ledger()).toMatchObject([{ type: 'ALERT_SYSTEM', status: 'SUCCESS', attempts: 1 }])
    await lookFor(6 * minute, [])
    await receiver.received(2)
    await settled()
    expect(told().map(({ ALERT_TYPE }) => ALERT_TYPE)).toEqual(['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
    expect(await toldFile(join(folder, 'told.json')).load()).toBeUndefined()
  })

  test('goes on under the same id when it was not accepted', async () => {
    const { port } = receiver
    await receiver.close()
    await lookFor(5000, [])
    fault = noSpace
    await lookFor(minute, [trouble])
    await restart()
    receiver = await openReceiver(undefined, port)
    await lookFor(minute, [trouble])
    const [delivery] = await receiver.received(1)
    fault = undefined
    await lookFor(minute, [trouble])
    expect(await ledger()).toMatchObject([{ id: delivery?.headers['webhook-id'], status: 'SUCCESS' }])
    expect(told()).toHaveLength(1)
  })

  test('is not told again when the file could not be written at first', async () => {
    await lookFor(5000, [])
    fault = noSpace
    diskFault = noSpace
    await lookFor(minute, [trouble])
    await receiver.received(1)
    diskFault = undefined
    await lookFor(minute, [trouble])
    await restart()
    await lookFor(2 * minute, [trouble])
    fault = undefined
    await lookFor(minute, [trouble])
    expect(told()).toHaveLength(1)
  })

  test('is kept when the file could not be read at first', async () => {
    await lookFor(5000, [])
    fault = noSpace
    await lookFor(2 * minute, [trouble])
    await receiver.received(1)
    diskFault = noSpace
    await restart()
    await lookFor(25_000, [trouble])
    diskFault = undefined
    await lookFor(20_000, [trouble])
    fault = undefined
    await lookFor(minute, [trouble])
    expect(await ledger()).toMatchObject([{ type: 'ALERT_SYSTEM', status: 'SUCCESS' }])
    await lookFor(6 * minute, [])
    await settled()
    expect((await ledger()).at(-1)).toMatchObject({ type: 'ALERT_SYSTEM_RECOVERY', status: 'SUCCESS' })
  })

  test('is forgotten when the file is torn, and alerts go on', async () => {
    await writeFile(join(folder, 'told.json'), '{"decisions": [{"op')
    await lookFor(minute, [trouble])
    await receiver.received(1)
    await settled()
  })
})

test('troubles that come up at about the same time are one message, and so are their ends', async () => {
  const office = { ...trouble, key: 'office', title: 'No agent serves Office', over: 'An agent serves Office again' }
  const cellar = { ...trouble, key: 'cellar', title: 'No agent serves Cellar', over: 'An agent serves Cellar again' }
  await lookFor(20_000, [office])
  await lookFor(10 * minute, [office, cellar])
  await receiver.received(1)
  await lookFor(20_000, [cellar])
  await lookFor(6 * minute, [])
  await receiver.received(2)
  await settled()
  expect(told().map(({ ALERT_TITLE }) => ALERT_TITLE)).toEqual([
    'Vedette: No agent serves Office; No agent serves Cellar',
    'Vedette: An agent serves Cellar again; An agent serves Office again',
  ])
})

test('a trouble of one account is told to that account alone', async () => {
  await lookFor(minute, [{ ...trouble, accountId: '00000000-0000-4000-8000-000000000009' }])
  expect(await ledger()).toEqual([])
  await lookFor(minute, [{ ...trouble, key: 'other', accountId, subject: 'Office' }])
  await receiver.received(1)
  expect(told()).toMatchObject([{ CHECK_NAME: 'Office' }])
})

test('the error itself is told to the operator alone', async () => {
  const { db } = database
  const other = await givenCheck({ db })
  const of = { accountId: other.accountId, checkId: other.id }
  await givenChannel({ db, vault: testVault }, of, { config: { url: `${receiver.base}/other` } })
  await db.pool.query(`UPDATE alert_channels SET auto_subscribe = true WHERE account_id = $1`, [other.accountId])
  await lookFor(minute, [{ ...trouble, text: 'Results are refused.', reason: 'connect ECONNREFUSED 10.1.2.3:5432' }])
  await receiver.received(2)
  const texts = told().map(({ CHECK_ERROR_MESSAGE }, at) => [receiver.deliveries[at]?.url, CHECK_ERROR_MESSAGE])
  expect(Object.fromEntries(texts)).toEqual({
    '/': 'Results are refused. The error: connect ECONNREFUSED 10.1.2.3:5432',
    '/other': 'Results are refused.',
  })
  await settled()
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
