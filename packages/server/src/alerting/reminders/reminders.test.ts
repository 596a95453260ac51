import { randomUUID } from 'node:crypto'
import { defaultAlertSettings } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useDatabase, resolveSettings } from '../../../test-support/database.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { Reminders } from './reminders.ts'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { countDatabaseWork } from '../../../test-support/database-work.ts'

const database = useDatabase()
const minute = 60_000
const { counting, settle } = countDatabaseWork()
const running: Reminders[] = []
let of: { accountId: string; checkId: string }
let clock: TestClock
let wakes: number

beforeEach(async () => {
  await database.db.pool.query(`UPDATE check_status SET has_failures = false, is_degraded = false`)
  const accountId = await givenAccount(database.db)
  of = { accountId, checkId: (await givenCheck(database, { accountId })).id }
  await givenChannel({ db: database.db, vault }, of, { type: 'EMAIL', config: { address: 'a@example.org' } })
  clock = new TestClock(Date.now(), settle)
  wakes = 0
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((reminders) => reminders.stop()))
})

const settings = async (amount: number, interval: number) => {
  await database.db.pool.query('UPDATE accounts SET alert_settings = $2 WHERE id = $1', [
    of.accountId,
    JSON.stringify({ ...defaultAlertSettings, reminders: { amount, interval } }),
  ])
  await resolveSettings(database.db, of.accountId)
}
const define = async (definition: Record<string, unknown>) => {
  await database.db.pool.query('UPDATE checks SET definition = $2 WHERE id = $1', [
    of.checkId,
    JSON.stringify(definition),
  ])
  await resolveSettings(database.db, of.accountId)
}
const runnable = (reason: string | null) =>
  database.db.pool.query('UPDATE checks SET not_runnable = $2 WHERE id = $1', [of.checkId, reason])
const state = (notified: string, failing: boolean) =>
  database.db.pool.query(
    `UPDATE check_status SET has_failures = $2, cause = 'Still down', alert_state = alert_state || $3::jsonb WHERE check_id = $1`,
    [of.checkId, failing, JSON.stringify({ notified })],
  )
const fails = async () => {
  await state('failing', true)
  await timed().transaction((client) => queueNotifications(client, [anAlert({ ...of, decidedAt: clock.now() })]))
}
const timed = () => databaseAtTimeOf(database.db, clock)
const start = async (server: TestClock = clock) => {
  const reminders = new Reminders({ db: counting(timed()), clock: server, onQueued: () => void wakes++ })
  running.push(reminders)
  reminders.start()
  await settle()
  return reminders
}
const sent = async () => {
  const { rows } = await database.db.pool.query<{ reminder: number; cause: string; at: Date }>(
    `SELECT a.reminder, n.message->>'cause' AS cause, n.decided_at AS at FROM alert_notifications n
     JOIN check_alerts a ON a.id = n.alert_id WHERE n.check_id = $1 ORDER BY n.seq`,
    [of.checkId],
  )
  return rows
}
const numbers = async () => (await sent()).map(({ reminder }) => reminder)

describe('reminders', () => {
  it('stop while somebody cares for the trouble, also after a restart, and go on when they do not any more', async () => {
    await settings(10, 5)
    await fails()
    await database.db.pool.query(
      `INSERT INTO check_episodes (id, account_id, check_id, state, began_at) VALUES ($1, $2, $3, 'failing', now())`,
      [randomUUID(), of.accountId, of.checkId],
    )
    const acknowledge = (by: string | null) =>
      database.db.pool.query(
        `UPDATE check_episodes SET acknowledged_by = $2::text, acknowledged_at = CASE WHEN $2::text IS NOT NULL THEN now() END
         WHERE check_id = $1`,
        [of.checkId, by],
      )
    const first = await start()
    await clock.advance(6 * minute)
    expect(await numbers()).toEqual([0, 1])
    await acknowledge('ann@example.org')
    await clock.advance(20 * minute)
    await first.stop()
    await start()
    await clock.advance(20 * minute)
    expect(await numbers()).toEqual([0, 1])
    await acknowledge(null)
    await clock.advance(minute)
    expect(await numbers()).toEqual([0, 1, 2])
  })

  it('wait for the end of a mute, by the clock of the server', async () => {
    await settings(10, 5)
    await fails()
    await database.db.pool.query(
      `UPDATE checks SET effective = effective || jsonb_build_object('muted', true, 'mutedUntil', $2::text) WHERE id = $1`,
      [of.checkId, new Date(clock.now() + 15 * minute).toISOString()],
    )
    await start()
    await clock.advance(14 * minute)
    expect(await numbers()).toEqual([0])
    await clock.advance(2 * minute)
    expect(await numbers()).toEqual([0, 1])
  })

  it('repeat an alert as often and in the interval the settings say', async () => {
    await settings(2, 5)
    const at = clock.now()
    await fails()
    await start()
    await clock.advance(5 * minute - 1)
    expect(await numbers()).toEqual([0])
    await clock.advance(1)
    expect(await numbers()).toEqual([0, 1])
    await clock.advance(30 * minute)
    expect(await numbers()).toEqual([0, 1, 2])
    expect((await sent()).map((each) => each.at.getTime() - at)).toEqual([0, 5 * minute, 10 * minute])
    expect((await sent())[1]?.cause).toBe('Still down')
    expect(wakes).toBe(2)
  })

  it('end with the trouble', async () => {
    await settings(5, 1)
    await fails()
    await start()
    await clock.advance(minute)
    await state('nothing', false)
    await clock.advance(10 * minute)
    expect(await numbers()).toEqual([0, 1])
  })

  it('are not sent by default, for muted checks, or before a channel was notified', async () => {
    await fails()
    await start()
    await clock.advance(10 * minute)
    await settings(5, 1)
    await define({ muted: true })
    await clock.advance(10 * minute)
    await define({})
    await state('nothing', true)
    await clock.advance(10 * minute)
    expect(await numbers()).toEqual([0])
  })

  it('are not sent while the check cannot run: nothing says that its trouble lasts', async () => {
    await settings(5, 1)
    await fails()
    await runnable('Scripts cannot be run yet.')
    await start()
    await clock.advance(10 * minute)
    expect(await numbers()).toEqual([0])
    await runnable(null)
    await clock.advance(minute)
    expect(await numbers()).toEqual([0, 1])
  })

  it('go on after a restart, one for the time away, and are not doubled by a second server', async () => {
    await settings(100_000, 5)
    await fails()
    const first = await start()
    await clock.advance(5 * minute)
    await first.stop()
    clock.jump(17 * minute)
    await start()
    await start()
    expect(await numbers()).toEqual([0, 1, 2])
    await clock.advance(5 * minute)
    expect(await numbers()).toEqual([0, 1, 2, 3])
  })

  it.each([-3, 3])('are not early or doubled on a server whose clock is %i hours off', async (hours) => {
    await settings(3, 5)
    await fails()
    await start()
    const off = new TestClock(clock.now() + hours * 60 * minute, settle)
    await start(off)
    expect(await numbers()).toEqual([0])
    for (let passed = 0; passed < 11; passed++) {
      await clock.advance(minute)
      await off.advance(minute)
    }
    expect(await numbers()).toEqual([0, 1, 2])
  })

  it('go on when the clock is set back, and are of the trouble that lasts now', async () => {
    await settings(3, 5)
    await fails()
    await timed().transaction((client) =>
      queueNotifications(client, [anAlert({ ...of, alertType: 'ALERT_RECOVERY', decidedAt: clock.now() + 1 })]),
    )
    clock.setWall(-60 * minute)
    await fails()
    await start()
    await clock.advance(5 * minute)
    expect(await numbers()).toEqual([0, 0, 0, 1])
    clock.setWall(-60 * minute)
    await clock.advance(6 * minute)
    expect(await numbers()).toEqual([0, 0, 0, 1, 2, 3])
  })

  it('remind of the trouble, not of the certificate alert in between', async () => {
    await settings(2, 5)
    await fails()
    await timed().transaction((client) =>
      queueNotifications(client, [anAlert({ ...of, alertType: 'ALERT_SSL', decidedAt: clock.now() + minute })]),
    )
    await start()
    await clock.advance(5 * minute)
    const { rows } = await database.db.pool.query(
      `SELECT alert_type FROM check_alerts WHERE check_id = $1 AND reminder = 1`,
      [of.checkId],
    )
    expect(rows).toEqual([{ alert_type: 'ALERT_FAILURE' }])
  })

  it.each([
    ['itself', 'updated_at'],
    ['with its group or its account', 'counted_from'],
  ])('wait for the next result of a check that was switched on again %s', async (_how, column) => {
    await settings(5, 1)
    await fails()
    await database.db.pool.query(`UPDATE checks SET ${column} = $2 WHERE id = $1`, [
      of.checkId,
      new Date(clock.now() + 3 * minute),
    ])
    clock.jump(4 * minute)
    await start()
    expect(await numbers()).toEqual([0])
    await database.db.pool.query('UPDATE check_status SET updated_at = $2 WHERE check_id = $1', [
      of.checkId,
      new Date(clock.now()),
    ])
    await clock.advance(minute)
    expect(await numbers()).toEqual([0, 1])
  })

  it('do not wait for the next result of a check that was changed at a server whose clock is ahead, or long ago', async () => {
    await settings(5, 1)
    await fails()
    await start()
    for (const hours of [2, -2]) {
      await database.db.pool.query('UPDATE checks SET updated_at = $2 WHERE id = $1', [
        of.checkId,
        new Date(clock.now() + hours * 60 * minute),
      ])
      await clock.advance(minute)
    }
    expect(await numbers()).toEqual([0, 1, 2])
  })

  it('follow the settings of the check when it has its own', async () => {
    await settings(0, 5)
    await define({ useGlobalAlertSettings: false, alertSettings: { reminders: { amount: 1, interval: 10 } } })
    await fails()
    await start()
    await clock.advance(9 * minute)
    expect(await numbers()).toEqual([0])
    await clock.advance(minute)
    expect(await numbers()).toEqual([0, 1])
  })
})
