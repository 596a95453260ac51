import { defaultAlertSettings } from '@vedette/wire'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { countDatabaseWork } from '../../../test-support/database-work.ts'
import { givenAccount, resolveSettings, useEmptiedDatabase } from '../../../test-support/database.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { Reminders } from './reminders.ts'

const database = useEmptiedDatabase()
const minute = 60_000
const { counting, settle } = countDatabaseWork()
let reminders: Reminders | undefined

beforeEach(async () => {
  await database.db.pool.query('TRUNCATE accounts, check_alerts CASCADE')
})
afterEach(async () => {
  await reminders?.stop()
  await database.db.pool.query('DROP TRIGGER IF EXISTS hold_one ON check_alerts')
})

it('a check whose reminder cannot be stored keeps no other check from being reminded of', async () => {
  const clock = new TestClock(Date.now(), settle)
  const timed = databaseAtTimeOf(database.db, clock)
  const accountId = await givenAccount(database.db)
  await database.db.pool.query('UPDATE accounts SET alert_settings = $2 WHERE id = $1', [
    accountId,
    JSON.stringify({ ...defaultAlertSettings, reminders: { amount: 100, interval: 5 } }),
  ])
  const checks = []
  for (let n = 0; n < 2; n++) {
    const of = { accountId, checkId: (await givenCheck(database, { accountId })).id }
    await givenChannel({ db: database.db, vault }, of, { type: 'EMAIL', config: { address: 'a@example.org' } })
    checks.push(of)
  }
  await resolveSettings(database.db, accountId)
  await database.db.pool.query(
    `UPDATE check_status SET has_failures = true, cause = 'Down', alert_state = alert_state || '{"notified": "failing"}'`,
  )
  for (const of of checks)
    await timed.transaction((client) => queueNotifications(client, [anAlert({ ...of, decidedAt: clock.now() })]))
  const { rows } = await database.db.pool.query<{ check_id: string }>('SELECT check_id FROM check_status')
  const [held, good] = rows.map(({ check_id: id }) => id)
  await database.db.pool.query(
    `CREATE OR REPLACE FUNCTION hold_one() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$`,
  )
  await database.db.pool.query(
    `CREATE TRIGGER hold_one BEFORE INSERT ON check_alerts FOR EACH ROW WHEN (NEW.check_id = '${held}') EXECUTE FUNCTION hold_one()`,
  )
  reminders = new Reminders({ db: counting(timed), clock, onQueued: () => undefined })
  reminders.start()
  await settle()
  await clock.advance(31 * minute)
  const sent = await database.db.pool.query('SELECT 1 FROM check_alerts WHERE reminder > 0 AND check_id = $1', [good])
  expect(sent.rows.length).toBeGreaterThan(0)
})
