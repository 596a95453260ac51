import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anAlert, givenChannel } from '../../test-support/alerts.ts'
import { givenApi, type TestApi } from '../../test-support/api.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { useDatabase } from '../../test-support/database.ts'
import { openTestHttp } from '../../test-support/http.ts'
import { testVault } from '../../test-support/vault.ts'
import { queueNotifications } from '../alerting/notifications/queue-notifications.ts'
import { registerApi } from '../api.ts'
import type { App } from '../http/build-http.ts'
import { readFailingChannels } from './store.ts'

const database = useDatabase()
let api: TestApi
let app: App
let receiver: Server
let status: number
let channel: number
let check: { accountId: string; checkId: string }

beforeAll(async () => {
  receiver = createServer((_, response) => void response.writeHead(status).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  api = await givenApi(database.db)
  const outgoing = { egress: () => ({ privateTargets: true, deniedTargets: [] }), settings: {} }
  app = await openTestHttp(database.db, (http) => registerApi(http, { ...api.deps, outgoing }), {
    authenticate: api.deps.authenticate,
  })
})
afterAll(async () => {
  await app.close()
  await api.app.close()
  receiver.close()
})

beforeEach(async () => {
  const { accountId } = api
  check = { accountId, checkId: (await givenCheck(database, { accountId })).id }
  const { port } = receiver.address() as AddressInfo
  const config = { url: `http://127.0.0.1:${port}/` }
  channel = await givenChannel({ db: database.db, vault: testVault }, check, { config })
  await api.deps.db.pool.query('UPDATE alert_channels SET deleted_at = now() WHERE account_id = $1 AND id <> $2', [
    accountId,
    channel,
  ])
})

/** A notification that was queued so long ago. */
async function notification(minutesAgo: number, settled: { status: string; attempts?: number }): Promise<void> {
  const decidedAt = Date.now() - minutesAgo * 60_000
  const alert = anAlert({ ...check, decidedAt })
  await database.db.transaction((client) => queueNotifications(client, [alert]))
  await database.db.pool.query(
    `UPDATE alert_notifications SET status = $2, attempts = $3,
       accepted_at = CASE WHEN $2 = 'SUCCESS' THEN queued_at + interval '1 second' END WHERE alert_id = $1`,
    [alert.id, settled.status, settled.attempts ?? 1],
  )
}

/** An alert and its end that were decided at the same moment, and how their notifications ended. */
async function notifications(...statuses: readonly string[]): Promise<void> {
  const decidedAt = Date.now() - 60_000
  const alerts = (['ALERT_FAILURE', 'ALERT_RECOVERY'] as const).map((alertType) =>
    anAlert({ ...check, decidedAt, alertType }),
  )
  await database.db.transaction((client) => queueNotifications(client, alerts))
  for (const [at, { id }] of alerts.entries())
    await database.db.pool.query('UPDATE alert_notifications SET status = $2 WHERE alert_id = $1', [id, statuses[at]])
}

const failing = async () => {
  const now = Date.now()
  const times = { from: new Date(now - 86_400_000), retriedSince: new Date(now - 300_000), now: new Date(now) }
  const all = await readFailingChannels(database.db.pool, times)
  return all.some(({ accountId }) => accountId === check.accountId)
}

const sendTest = () =>
  app.inject({
    method: 'POST',
    url: `/v1/alert-channels/${channel}/test`,
    headers: { authorization: `Bearer ${api.keys.write}` },
  })

test('a channel whose last notification was refused fails until one is accepted', async () => {
  await notification(20, { status: 'FAILURE' })
  expect(await failing()).toBe(true)
  await notification(10, { status: 'SUCCESS' })
  expect(await failing()).toBe(false)
})

test('of notifications that were queued at the same moment the last one counts', async () => {
  await notifications('SUCCESS', 'FAILURE')
  expect(await failing()).toBe(true)
  await database.db.pool.query('DELETE FROM alert_notifications WHERE channel_id = $1', [channel])
  await notifications('FAILURE', 'SUCCESS')
  expect(await failing()).toBe(false)
})

test('an accepted test message ends it, one that is refused does not', async () => {
  await notification(20, { status: 'FAILURE' })
  status = 500
  await sendTest()
  expect(await failing()).toBe(true)
  status = 200
  await sendTest()
  expect(await failing()).toBe(false)
})

test('the next one that is refused begins it again', async () => {
  await notification(20, { status: 'FAILURE' })
  status = 200
  await sendTest()
  await notification(-1, { status: 'FAILURE' })
  expect(await failing()).toBe(true)
})

test('an accepted test message also ends one that is tried again and again', async () => {
  await notification(20, { status: 'IN_PROGRESS', attempts: 3 })
  expect(await failing()).toBe(true)
  status = 200
  await sendTest()
  expect(await failing()).toBe(false)
})

test('a test message that was accepted before the clock was set back by days hides nothing', async () => {
  status = 200
  await sendTest()
  await database.db.pool.query(`UPDATE alert_channels SET test_accepted_at = now() + interval '3 days' WHERE id = $1`, [
    channel,
  ])
  await notification(1, { status: 'FAILURE' })
  expect(await failing()).toBe(true)
})

test('what was accepted before the clock was set back hides nothing that is refused since', async () => {
  await notification(-60, { status: 'SUCCESS' })
  expect(await failing()).toBe(false)
  await notification(1, { status: 'FAILURE' })
  expect(await failing()).toBe(true)
})

test('what was refused before the clock was set back is over with what is accepted since', async () => {
  await notification(-60, { status: 'FAILURE' })
  expect(await failing()).toBe(true)
  await notification(1, { status: 'SUCCESS' })
  expect(await failing()).toBe(false)
})

test('one that is tried again and again since the clock was set back is noticed', async () => {
  await notification(-60, { status: 'SUCCESS' })
  await notification(20, { status: 'IN_PROGRESS', attempts: 3 })
  expect(await failing()).toBe(true)
})
