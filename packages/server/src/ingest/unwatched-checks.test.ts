import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenChannel } from '../../test-support/alerts.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { countDatabaseWork } from '../../test-support/database-work.ts'
import { givenAccount, resolveSettings, useEmptiedDatabase } from '../../test-support/database.ts'
import { incomingResult } from '../../test-support/results.ts'
import { testVault as vault } from '../../test-support/vault.ts'
import { Reminders } from '../alerting/reminders/reminders.ts'
import type { Database } from '../db/database.ts'
import { Ingest } from './ingest.ts'

const database = useEmptiedDatabase()
const { counting, settle } = countDatabaseWork()
const minute = 60_000
const start = Math.floor(Date.now() / 1000) * 1000

let clock: TestClock
let db: Database
let ingest: Ingest
let reminders: Reminders
let check: GivenCheck
let queued: number

beforeEach(async () => {
  clock = new TestClock(start, settle)
  queued = 0
  const accountId = await givenAccount(database.db)
  check = await givenCheck({ db: database.db, clock }, { accountId, definition: { frequency: 1440 } })
  await givenChannel(
    { db: database.db, vault },
    { accountId, checkId: check.id },
    { type: 'EMAIL', config: { address: 'a@example.org' } },
  )
  db = counting(databaseAtTimeOf(database.db, clock))
  ingest = new Ingest({ db, clock })
  reminders = new Reminders({ db, clock, onQueued: () => void queued++ })
  reminders.start()
})
afterEach(async () => {
  await reminders.stop()
  await ingest.stop()
})

async function ends(outcome: 'pass' | 'unknown'): Promise<void> {
  const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
  const accepted = ingest.accept([incomingResult(check, clock.now(), { outcome, identity })])
  await clock.advance(1000)
  await accepted
}

async function told() {
  const { rows } = await database.db.pool.query<{ type: string; cause: string | null }>(
    `SELECT a.alert_type AS type, n.message->>'cause' AS cause FROM alert_notifications n
     JOIN check_alerts a ON a.id = n.alert_id WHERE n.check_id = $1 ORDER BY n.queued_at`,
    [check.id],
  )
  return rows
}

const define = async (definition: object) => {
  await database.db.pool.query(`UPDATE checks SET definition = definition || $2::jsonb WHERE id = $1`, [
    check.id,
    JSON.stringify(definition),
  ])
  await resolveSettings(database.db, check.accountId)
}

it('a check that runs once a day is told of an hour after a run that is not known, once, and of its end', async () => {
  await ends('unknown')
  await clock.advance(65 * minute)
  expect(await told()).toEqual([])
  await clock.advance(2 * minute)
  const cause = 'The last run does not tell how the target is. unknown here'
  expect(await told()).toEqual([{ type: 'ALERT_UNKNOWN', cause }])
  expect(queued).toBe(1)
  await clock.advance(30 * minute)
  expect(await told()).toHaveLength(1)
  await ends('pass')
  expect((await told()).map(({ type }) => type)).toEqual(['ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY'])
})

it('a check that is known again in time is not told of', async () => {
  await ends('unknown')
  await clock.advance(60 * minute)
  await ends('pass')
  await clock.advance(30 * minute)
  expect(await told()).toEqual([])
})

it('three runs in a row that are not known are told of at once', async () => {
  for (let run = 0; run < 3; run++) await ends('unknown')
  expect(await told()).toMatchObject([{ type: 'ALERT_UNKNOWN' }])
})

it('a check that is muted or off is told of when it is not any more', async () => {
  await ends('unknown')
  await define({ muted: true })
  await clock.advance(120 * minute)
  await define({ muted: false })
  await database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
  await clock.advance(10 * minute)
  expect(await told()).toEqual([])
  await database.db.pool.query('UPDATE checks SET activated = true WHERE id = $1', [check.id])
  await clock.advance(2 * minute)
  expect(await told()).toHaveLength(1)
})

const changed = () =>
  database.db.pool.query('UPDATE checks SET updated_at = $2 WHERE id = $1', [check.id, new Date(clock.now())])

it('a check that is renamed is told of in time', async () => {
  await ends('pass')
  await ends('unknown')
  await clock.advance(30 * minute)
  await changed()
  await clock.advance(37 * minute)
  expect(await told()).toMatchObject([{ type: 'ALERT_UNKNOWN' }])
})

it('a check that is switched on again is not told of before its first run had time to end', async () => {
  await ends('unknown')
  await database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
  await clock.advance(120 * minute)
  await database.db.pool.query('UPDATE checks SET activated = true WHERE id = $1', [check.id])
  await changed()
  await clock.advance(5 * minute)
  expect(await told()).toEqual([])
  await clock.advance(3 * minute)
  expect(await told()).toHaveLength(1)
})

it('a server whose clock is hours ahead tells of no check early', async () => {
  const ahead = new TestClock(start + 180 * minute, settle)
  const other = new Reminders({ db, clock: ahead, onQueued: () => undefined })
  await ends('unknown')
  other.start()
  await ahead.advance(5 * minute)
  await other.stop()
  expect(await told()).toEqual([])
})

it('the wait begins anew when the clock is set back', async () => {
  await ends('unknown')
  clock.setWall(-180 * minute)
  await clock.advance(60 * minute)
  expect(await told()).toEqual([])
  await clock.advance(8 * minute)
  expect(await told()).toHaveLength(1)
})

it('a known result between begins the wait anew, also in one batch', async () => {
  await ends('unknown')
  await clock.advance(30 * minute)
  const results = (['pass', 'unknown'] as const).map((outcome, at) =>
    incomingResult(check, clock.now() + at, {
      outcome,
      identity: { sequenceId: randomUUID(), attemptId: randomUUID() },
    }),
  )
  const accepted = ingest.accept(results)
  await clock.advance(1000)
  await accepted
  await clock.advance(60 * minute)
  expect(await told()).toEqual([])
  await clock.advance(8 * minute)
  expect(await told()).toHaveLength(1)
})
