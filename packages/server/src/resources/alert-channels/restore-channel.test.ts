import { randomUUID } from 'node:crypto'
import { systemClock } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anAlert, givenChannel, notificationsOf } from '../../../test-support/alerts.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCheck, type GivenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { openReceiver, type Receiver } from '../../../test-support/receiver.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { createSender, type Sender } from '../../alerting/index.ts'
import type { NewAlert } from '../../alerting/notifications/new-alert.ts'
import { queueNotifications } from '../../alerting/notifications/queue-notifications.ts'

const database = useEmptiedDatabase()
let api: TestApi
let check: GivenCheck
let channel: number
let receiver: Receiver
let sender: Sender
let settle: () => void
let settled: Promise<void>

const awaitOutcome = () => (settled = new Promise((resolve) => (settle = resolve)))

beforeEach(async () => {
  const { db } = database
  api = await givenApi(db)
  check = await givenCheck(database, { accountId: api.accountId })
  receiver = await openReceiver()
  channel = await givenChannel(
    { db, vault },
    { accountId: api.accountId, checkId: check.id },
    { config: { url: receiver.base } },
  )
  const egress = () => ({ privateTargets: true, deniedTargets: [] })
  const options = { db, vault, clock: systemClock, egress, baseUrl: () => 'https://vedette.example', settings: {} }
  sender = createSender({ ...options, onSettled: () => settle() })
  void awaitOutcome()
})
afterEach(async () => {
  await sender.stop()
  await receiver.close()
})

const queue = (alertType: NewAlert['alertType']) =>
  database.db.transaction((client) =>
    queueNotifications(client, [
      anAlert({ accountId: api.accountId, checkId: check.id, alertType, decidedAt: Date.now() }),
    ]),
  )
const givenEpisode = (endedAt: Date | null) =>
  database.db.pool.query(
    `WITH e AS (INSERT INTO check_episodes (id, account_id, check_id, state, began_at, ended_at)
       VALUES ($1, $2, $3, 'failing', now(), $4) RETURNING id)
     UPDATE check_alerts SET episode_id = e.id FROM e WHERE check_id = $3`,
    [randomUUID(), api.accountId, check.id, endedAt],
  )

/** Accepted by the channel. */
async function givenTold(): Promise<void> {
  await queue('ALERT_FAILURE')
  sender.start()
  await settled
  void awaitOutcome()
  expect(await statuses()).toEqual(['SUCCESS'])
}

/** Queued, and given up because the channel is deleted. */
async function givenGivenUp(alertType: NewAlert['alertType']): Promise<void> {
  await queue(alertType)
  expect((await api.call('DELETE', `/v1/alert-channels/${channel}`)).status).toBe(204)
  sender.start()
  await settled
  void awaitOutcome()
  expect((await statuses()).at(-1)).toBe('FAILURE')
}
const restore = async () => {
  expect((await api.call('POST', `/v1/alert-channels/${channel}/restore`)).status).toBe(200)
  sender.wake()
}
const statuses = async () => (await notificationsOf(database, check)).map(({ status }) => status)

describe('a channel that was deleted and comes back', () => {
  test('gets the recovery that was given up meanwhile', async () => {
    await givenTold()
    await givenGivenUp('ALERT_RECOVERY')
    await restore()
    await receiver.received(2)
    await settled
    expect(await statuses()).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('gets the failure that was given up meanwhile, when it lasts', async () => {
    await givenGivenUp('ALERT_FAILURE')
    await givenEpisode(null)
    await restore()
    await receiver.received(1)
    await settled
    expect(await statuses()).toEqual(['SUCCESS'])
  })

  test('is not notified of a failure that is over, nor of one of a check that is muted by now', async () => {
    await givenGivenUp('ALERT_FAILURE')
    await givenEpisode(new Date())
    await restore()
    expect(await statuses()).toEqual(['FAILURE'])
    await api.call('DELETE', `/v1/alert-channels/${channel}`)
    await database.db.pool.query(
      `WITH e AS (UPDATE check_episodes SET ended_at = NULL WHERE check_id = $1)
       UPDATE checks SET effective = effective || '{"muted": true}' WHERE id = $1`,
      [check.id],
    )
    await restore()
    expect(await statuses()).toEqual(['FAILURE'])
  })

  test('is not notified of a recovery after which the check failed again', async () => {
    await givenTold()
    await givenGivenUp('ALERT_RECOVERY')
    await queue('ALERT_FAILURE')
    await restore()
    expect(await statuses()).toEqual(['SUCCESS', 'FAILURE'])
  })
})
