import { beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { alertIdOf, notificationIdOf, type NewAlert } from './new-alert.ts'
import { queueNotifications } from './queue-notifications.ts'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'

const database = useDatabase()
const mail = { type: 'EMAIL', config: { address: 'a@example.org' } }

let of: { accountId: string; checkId: string }
beforeEach(async () => {
  const accountId = await givenAccount(database.db)
  of = { accountId, checkId: (await givenCheck(database, { accountId })).id }
})

const channel = (flags?: { failure?: boolean; recovery?: boolean; degraded?: boolean }) =>
  givenChannel({ db: database.db, vault }, of, { ...mail, ...(flags && { flags }) })
const queue = (...alerts: NewAlert[]) => database.db.transaction((client) => queueNotifications(client, alerts))
const notified = async () => {
  const { rows } = await database.db.pool.query<{ channel_id: number; type: string }>(
    `SELECT n.channel_id, a.alert_type AS type FROM alert_notifications n JOIN check_alerts a ON a.id = n.alert_id
     WHERE n.check_id = $1 ORDER BY n.seq`,
    [of.checkId],
  )
  return rows.map(({ channel_id: id, type }) => `${id} ${type}`)
}

describe('queueing notifications', () => {
  it('queues one for every subscribed channel, with all values and times frozen', async () => {
    const [first, second] = [await channel(), await channel()]
    const alert = anAlert(of)
    expect(await queue(alert)).toBe(2)
    const { rows } = await database.db.pool.query(
      'SELECT * FROM alert_notifications WHERE check_id = $1 ORDER BY channel_id',
      [of.checkId],
    )
    expect(rows.map(({ id }) => id)).toEqual([notificationIdOf(alert.id, first), notificationIdOf(alert.id, second)])
    expect(rows[0]).toMatchObject({
      status: 'IN_PROGRESS',
      attempts: 0,
      alert_id: alert.id,
      channel_type: 'EMAIL',
      alert_config: { address: 'a@example.org' },
      due_at: new Date(alert.resultDueAt),
      started_at: new Date(alert.startedAt ?? 0),
      finished_at: new Date(alert.finishedAt ?? 0),
      decided_at: new Date(alert.decidedAt),
      queued_at: new Date(alert.decidedAt),
      accepted_at: null,
    })
    const { muted: _muted, ...message } = alert
    expect(rows[0].message).toEqual(message)
    const alerts = await database.db.pool.query('SELECT * FROM check_alerts WHERE id = $1', [alert.id])
    expect(alerts.rows[0]).toMatchObject({ alert_type: 'ALERT_FAILURE', error: alert.cause, status_code: 503 })
  })

  it('queues nothing twice when the same decision comes again', async () => {
    await channel()
    const alert = anAlert(of)
    expect([await queue(alert), await queue(alert), await queue(alert, alert)]).toEqual([1, 0, 0])
    expect(await notified()).toHaveLength(1)
    expect(alert.id).toBe(alertIdOf(alert.resultId, 'ALERT_FAILURE', 0))
  })

  it('leaves nothing behind when its transaction fails', async () => {
    await channel()
    const failing = database.db.transaction(async (client) => {
      await queueNotifications(client, [anAlert(of)])
      throw new Error('later')
    })
    await expect(failing).rejects.toThrow('later')
    expect(await notified()).toEqual([])
  })

  it('records a muted alert and notifies no channel', async () => {
    await channel()
    const alert = anAlert({ ...of, muted: true })
    expect(await queue(alert)).toBe(0)
    const { rows } = await database.db.pool.query('SELECT id FROM check_alerts WHERE check_id = $1', [of.checkId])
    expect(rows).toEqual([{ id: alert.id }])
  })

  it('passes over channels that are switched off, deleted, or subscribed to other checks', async () => {
    const [off, deleted] = [await channel(), await channel()]
    await database.db.pool.query('UPDATE alert_subscriptions SET activated = false WHERE channel_id = $1', [off])
    await database.db.pool.query('UPDATE alert_channels SET deleted_at = now() WHERE id = $1', [deleted])
    const other = { ...of, checkId: (await givenCheck(database, { accountId: of.accountId })).id }
    await givenChannel({ db: database.db, vault }, other, mail)
    expect(await queue(anAlert(of))).toBe(0)
  })

  it.each([
    ['ALERT_FAILURE', ['failure']],
    ['ALERT_FAILURE_REMAIN', ['failure']],
    ['ALERT_DEGRADED_FAILURE', ['failure']],
    ['ALERT_DEGRADED', ['degraded']],
    ['ALERT_FAILURE_DEGRADED', ['degraded']],
    ['ALERT_RECOVERY', ['recovery']],
  ] as const)('%s goes to channels that ask for it', async (alertType, wanted) => {
    const none = { failure: false, recovery: false, degraded: false }
    const ids = {
      failure: await channel({ ...none, failure: true }),
      recovery: await channel({ ...none, recovery: true }),
      degraded: await channel({ ...none, degraded: true }),
    }
    await queue(anAlert({ ...of, alertType }))
    expect(await notified()).toEqual(wanted.map((flag) => `${ids[flag]} ${alertType}`))
  })

  it('sends the end of a degradation to channels that were notified of the trouble, and to no others', async () => {
    const plain = await channel()
    const keen = await channel({ degraded: true })
    const at = Date.now()
    await queue(anAlert({ ...of, alertType: 'ALERT_DEGRADED', decidedAt: at }))
    await queue(anAlert({ ...of, alertType: 'ALERT_DEGRADED_RECOVERY', decidedAt: at + 1 }))
    expect(await notified()).toEqual([`${keen} ALERT_DEGRADED`, `${keen} ALERT_DEGRADED_RECOVERY`])
    await queue(anAlert({ ...of, decidedAt: at + 2 }))
    await queue(
      anAlert({ ...of, alertType: 'ALERT_FAILURE_DEGRADED', decidedAt: at + 3 }),
      anAlert({ ...of, alertType: 'ALERT_DEGRADED_RECOVERY', decidedAt: at + 4 }),
    )
    expect((await notified()).slice(2)).toEqual([
      `${plain} ALERT_FAILURE`,
      `${keen} ALERT_FAILURE`,
      `${keen} ALERT_FAILURE_DEGRADED`,
      `${plain} ALERT_DEGRADED_RECOVERY`,
      `${keen} ALERT_DEGRADED_RECOVERY`,
    ])
  })

  it('notifies of a certificate only channels with its threshold, and counts it neither as trouble nor as its end', async () => {
    const certificate = { host: 'shop.example', notAfter: Date.now(), threshold: 10 }
    const channelOf = (sslDays?: number) =>
      givenChannel({ db: database.db, vault }, of, { ...mail, ...(sslDays !== undefined && { sslDays }) })
    const [ten] = [await channelOf(10), await channelOf(20), await channelOf()]
    const at = Date.now()
    await queue(anAlert({ ...of, alertType: 'ALERT_SSL', decidedAt: at, certificate }))
    await queue(anAlert({ ...of, alertType: 'ALERT_DEGRADED_RECOVERY', decidedAt: at + 1 }))
    await queue(
      anAlert({ ...of, alertType: 'ALERT_SSL', decidedAt: at + 2, certificate }),
      anAlert({ ...of, alertType: 'ALERT_DEGRADED_RECOVERY', decidedAt: at + 3 }),
    )
    expect(await notified()).toEqual([`${ten} ALERT_SSL`, `${ten} ALERT_SSL`])
  })
})
