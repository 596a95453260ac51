import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenMailChannel, notificationsOf } from '../../test-support/alerts.ts'
import { redefine, type GivenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { countDatabaseWork } from '../../test-support/database-work.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'
import { Reminders } from '../alerting/reminders/reminders.ts'

const database = useEmptiedDatabase()
const { counting, settle } = countDatabaseWork()
const setup = useIngest(database, { over: (db, clock) => counting(databaseAtTimeOf(db, clock)), settle })
const minute = 60_000

let reminders: Reminders
let check: GivenCheck
let queued: number

beforeEach(async () => {
  queued = 0
  check = await setup.given({ frequency: 1440 })
  await givenMailChannel(database, check)
  reminders = new Reminders({ db: setup.db, clock: setup.clock, onQueued: () => void queued++ })
  reminders.start()
})
afterEach(() => reminders.stop())

async function ends(outcome: 'pass' | 'unknown'): Promise<void> {
  const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
  await setup.take([incomingResult(check, setup.clock.now(), { outcome, identity })])
}

const told = () => notificationsOf(database, check)

it('a check that runs once a day is told of an hour after a run that is not known, once, and of its end', async () => {
  await ends('unknown')
  await setup.clock.advance(65 * minute)
  expect(await told()).toEqual([])
  await setup.clock.advance(2 * minute)
  const cause = 'The last run could not tell how the target is. unknown here'
  expect(await told()).toMatchObject([{ type: 'ALERT_UNKNOWN', cause }])
  expect(queued).toBe(1)
  await setup.clock.advance(30 * minute)
  expect(await told()).toHaveLength(1)
  await ends('pass')
  expect((await told()).map(({ type }) => type)).toEqual(['ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY'])
})

it('a check that is known again in time is not told of', async () => {
  await ends('unknown')
  await setup.clock.advance(60 * minute)
  await ends('pass')
  await setup.clock.advance(30 * minute)
  expect(await told()).toEqual([])
})

it('three runs in a row that are not known are told of at once', async () => {
  for (let run = 0; run < 3; run++) await ends('unknown')
  expect(await told()).toMatchObject([{ type: 'ALERT_UNKNOWN' }])
})

it('a check that is muted or off is told of when it is not any more', async () => {
  await ends('unknown')
  await redefine(database, check, { muted: true })
  await setup.clock.advance(120 * minute)
  await redefine(database, check, { muted: false })
  await database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
  await setup.clock.advance(10 * minute)
  expect(await told()).toEqual([])
  await database.db.pool.query('UPDATE checks SET activated = true WHERE id = $1', [check.id])
  await setup.clock.advance(2 * minute)
  expect(await told()).toHaveLength(1)
})

const changed = (column = 'updated_at') =>
  database.db.pool.query(`UPDATE checks SET ${column} = $2 WHERE id = $1`, [check.id, new Date(setup.clock.now())])

it('a check that is renamed is told of in time', async () => {
  await ends('pass')
  await ends('unknown')
  await setup.clock.advance(30 * minute)
  await changed()
  await setup.clock.advance(37 * minute)
  expect(await told()).toMatchObject([{ type: 'ALERT_UNKNOWN' }])
})

it.each([
  ['itself', 'updated_at'],
  ['with its group or its account', 'counted_from'],
])('a check that is switched on again %s is not told of before its first run had time to end', async (_how, column) => {
  await ends('unknown')
  await database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
  await setup.clock.advance(120 * minute)
  await database.db.pool.query('UPDATE checks SET activated = true WHERE id = $1', [check.id])
  await changed(column)
  await setup.clock.advance(5 * minute)
  expect(await told()).toEqual([])
  await setup.clock.advance(3 * minute)
  expect(await told()).toHaveLength(1)
})

it('a server whose clock is hours ahead tells of no check early', async () => {
  const ahead = new TestClock(setup.now + 180 * minute, settle)
  const other = new Reminders({ db: setup.db, clock: ahead, onQueued: () => undefined })
  await ends('unknown')
  other.start()
  await ahead.advance(5 * minute)
  await other.stop()
  expect(await told()).toEqual([])
})

it('the wait begins anew when the clock is set back', async () => {
  await ends('unknown')
  setup.clock.setWall(-180 * minute)
  await setup.clock.advance(60 * minute)
  expect(await told()).toEqual([])
  await setup.clock.advance(8 * minute)
  expect(await told()).toHaveLength(1)
})

it('a known result between begins the wait anew, also in one batch', async () => {
  await ends('unknown')
  await setup.clock.advance(30 * minute)
  const results = (['pass', 'unknown'] as const).map((outcome, at) =>
    incomingResult(check, setup.clock.now() + at, {
      outcome,
      identity: { sequenceId: randomUUID(), attemptId: randomUUID() },
    }),
  )
  await setup.take(results)
  await setup.clock.advance(60 * minute)
  expect(await told()).toEqual([])
  await setup.clock.advance(8 * minute)
  expect(await told()).toHaveLength(1)
})
