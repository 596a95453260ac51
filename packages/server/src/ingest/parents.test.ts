import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenMailChannel, notificationsOf } from '../../test-support/alerts.ts'
import { givenParents, redefine, type GivenCheck } from '../../test-support/checks.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { countDatabaseWork } from '../../test-support/database-work.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import { Reminders } from '../alerting/reminders/reminders.ts'

const database = useEmptiedDatabase()
const { counting, settle } = countDatabaseWork()
const setup = useIngest(database, { over: (db, clock) => counting(databaseAtTimeOf(db, clock)), settle })
const minute = 60_000
let parent: GivenCheck
let child: GivenCheck
let reminders: Reminders | undefined

beforeEach(async () => {
  parent = await setup.given()
  child = await setup.given()
  await givenMailChannel(database, parent)
  await givenMailChannel(database, child)
  await givenParents(database, child, [parent])
})
afterEach(async () => {
  await reminders?.stop()
  reminders = undefined
})

type Word = 'pass' | 'fail' | 'unknown'

const resultOf = (check: GivenCheck, outcome: Word, laterMs = 0, parts: ResultParts = {}) => {
  const at = setup.clock.now()
  const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
  return incomingResult(check, at + laterMs, { outcome, receivedAt: at, identity, ...parts })
}
/** One batch, a minute after the last. */
async function batch(...results: [GivenCheck, Word, number?][]): Promise<void> {
  await setup.clock.advance(minute)
  await setup.take(results.map((one) => resultOf(...one)))
}
function look(): void {
  reminders = new Reminders({ db: setup.db, clock: setup.clock, onQueued: () => undefined })
  reminders.start()
}
const told = async (check = child) => (await notificationsOf(database, check)).map(({ type }) => type)
const statusOf = async (check = child) => (await setup.statusOf(check)) ?? {}
const heldBy = async (check = child) => (await statusOf(check))['held_by']

describe('while its parent fails', () => {
  it('a check that fails is measured like any other, and nobody is told', async () => {
    await batch([parent, 'pass'], [child, 'pass'])
    await batch([parent, 'fail'])
    await batch([child, 'fail'])
    await batch([child, 'fail'])
    expect(await told(parent)).toEqual(['ALERT_FAILURE'])
    expect(await told()).toEqual([])
    expect(await statusOf()).toMatchObject({ state: 'failing', has_failures: true, held_by: parent.id })
    expect(await setup.rowsOf(child)).toHaveLength(3)
    const { rows } = await database.db.pool.query('SELECT held_by FROM check_alerts WHERE check_id = $1', [child.id])
    expect(rows).toEqual([{ held_by: parent.id }])
    await batch([parent, 'pass'], [child, 'pass'])
    expect(await told()).toEqual([])
    expect(await heldBy()).toBeNull()
    expect(await setup.alertsOf(child)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('the recovery of a trouble that was told before is told', async () => {
    await batch([child, 'fail'])
    await batch([parent, 'fail'], [child, 'fail'])
    await batch([child, 'pass'])
    expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('that a check is not being watched is told to nobody, and after that it is', async () => {
    await batch([parent, 'fail'])
    for (let run = 0; run < 4; run++) await batch([child, 'unknown'])
    expect(await told()).toEqual([])
    expect(await heldBy()).toBe(parent.id)
    await batch([parent, 'pass'], [child, 'unknown'])
    expect(await told()).toEqual(['ALERT_UNKNOWN'])
  })

  it('a run at several locations is held back too when the last of them, which passes, decides that it is degraded', async () => {
    await givenMailChannel(database, child, { degraded: true })
    await redefine(database, child, { runParallel: true })
    await batch([parent, 'fail'])
    await setup.take([resultOf(child, 'pass', 0, { location: 'eu-west-1', degraded: true })])
    await setup.take([resultOf(child, 'pass', 0, { location: 'us-east-1' })])
    expect(await statusOf()).toMatchObject({ state: 'degraded', held_by: parent.id })
    expect(await told()).toEqual([])
  })

  it('grandchildren are held back by their own parents alone', async () => {
    const grandchild = await setup.given()
    await givenMailChannel(database, grandchild)
    await givenParents(database, grandchild, [child])
    await batch([grandchild, 'fail'], [child, 'fail'], [parent, 'fail'])
    expect([await told(grandchild), await told(), await told(parent)]).toEqual([[], [], ['ALERT_FAILURE']])
    expect(await heldBy(grandchild)).toBe(child.id)
  })
})

describe('results of parent and child in one batch', () => {
  it.each([
    ['before', -20_000],
    ['after', 20_000],
  ])('count as one moment, also when the parent fails %s its child', async (_when, laterMs) => {
    await batch([child, 'fail'], [parent, 'fail', laterMs])
    expect(await told()).toEqual([])
    await batch([parent, 'pass', laterMs], [child, 'fail'])
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('go by the last word of the parent', async () => {
    await batch([parent, 'fail', -30_000], [child, 'fail'], [parent, 'pass', -10_000])
    expect(await told()).toEqual(['ALERT_FAILURE'])
  })
})

describe('a child that still fails when its parent does not any more', () => {
  beforeEach(async () => {
    await batch([parent, 'fail'], [child, 'fail'])
    expect(await told()).toEqual([])
  })

  it('is told of by its next bad run, and so is its end', async () => {
    await batch([parent, 'pass'])
    await batch([child, 'fail'])
    await batch([child, 'fail'])
    await batch([child, 'pass'])
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN', 'ALERT_RECOVERY'])
  })

  it('is told of within a minute without another run, once, also by two servers', async () => {
    await batch([parent, 'pass'])
    look()
    const other = new Reminders({ db: setup.db, clock: setup.clock, onQueued: () => undefined })
    other.start()
    await setup.clock.advance(3 * minute)
    await other.stop()
    expect(await notificationsOf(database, child)).toMatchObject([
      { type: 'ALERT_FAILURE_REMAIN', cause: 'fail here', reminder: 0 },
    ])
    expect(await heldBy()).toBeNull()
    await batch([child, 'fail'], [child, 'pass', 1000])
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN', 'ALERT_RECOVERY'])
  })

  it('stays held back until then', async () => {
    look()
    await setup.clock.advance(5 * minute)
    expect(await told()).toEqual([])
    expect(await heldBy()).toBe(parent.id)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['is off', () => database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [parent.id])],
    ['is deleted', () => database.db.pool.query('UPDATE checks SET deleted_at = now() WHERE id = $1', [parent.id])],
    ['is muted', () => redefine(database, parent, { muted: true })],
    ['is not its parent any more', () => givenParents(database, child, [])],
    [
      'has no channel',
      () => database.db.pool.query('DELETE FROM alert_subscriptions WHERE check_id = $1', [parent.id]),
    ],
    ['has only channels that do not ask for failures', () => onlyRecoveries()],
    ['could not be seen by its last run', () => batch([parent, 'unknown'])],
    ['was seen by no run for long', () => setup.clock.advance(9 * minute)],
    ['was seen by no run since the clock was set back', () => Promise.resolve(setup.clock.setWall(-60 * minute))],
  ])('is told of when the parent %s', async (_why, change) => {
    await change()
    look()
    await setup.clock.advance(2 * minute)
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('is told of by its next run when the parent holds back no more, whatever the reason', async () => {
    await batch([parent, 'unknown'])
    await batch([child, 'fail'])
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('is not told of while it is muted or off itself, and it is after that', async () => {
    await batch([parent, 'pass'])
    await redefine(database, child, { muted: true })
    look()
    await setup.clock.advance(5 * minute)
    expect(await told()).toEqual([])
    await redefine(database, child, { muted: false })
    await setup.clock.advance(2 * minute)
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('is told of although another transaction ended the trouble of the parent meanwhile', async () => {
    // As if the child had been decided before that was committed.
    await batch([parent, 'pass'])
    expect(await heldBy()).toBe(parent.id)
    look()
    await setup.clock.advance(minute)
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  const onlyRecoveries = () =>
    database.db.pool.query(
      'UPDATE alert_channels SET send_failure = false WHERE id IN (SELECT channel_id FROM alert_subscriptions WHERE check_id = $1)',
      [parent.id],
    )
})

describe('a parent that fails, and of which nobody is told yet', () => {
  const patient = { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } }
  beforeEach(async () => {
    await redefine(database, parent, { frequency: 1440, useGlobalAlertSettings: false, alertSettings: patient })
    await batch([parent, 'fail'], [child, 'fail'])
    look()
  })

  it('holds back for a quarter of an hour and no longer', async () => {
    await setup.clock.advance(13 * minute)
    expect([await told(parent), await told()]).toEqual([[], []])
    await setup.clock.advance(3 * minute)
    expect(await told()).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('goes on holding back once it is told of', async () => {
    await setup.clock.advance(5 * minute)
    await batch([parent, 'fail'])
    await setup.clock.advance(30 * minute)
    expect([await told(parent), await told()]).toEqual([['ALERT_FAILURE_REMAIN'], []])
  })

  it('goes on holding back while its own alert is held back', async () => {
    const power = await setup.given({ frequency: 1440 })
    await givenMailChannel(database, power)
    await givenParents(database, parent, [power])
    await batch([power, 'fail'], [parent, 'fail'])
    await setup.clock.advance(30 * minute)
    expect([await told(power), await told(parent), await told()]).toEqual([['ALERT_FAILURE'], [], []])
  })
})

it('a check of which nothing is known for an hour is told of only when its parent does not fail any more', async () => {
  await redefine(database, parent, { frequency: 60 })
  await batch([parent, 'fail'], [child, 'unknown'])
  look()
  await setup.clock.advance(70 * minute)
  expect(await told()).toEqual([])
  expect(await heldBy()).toBe(parent.id)
  await batch([parent, 'pass'])
  await setup.clock.advance(minute)
  expect(await told()).toEqual(['ALERT_UNKNOWN'])
})
