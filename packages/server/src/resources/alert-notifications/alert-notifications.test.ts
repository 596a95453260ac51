import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anAlert, givenChannel, givenMailChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { queueNotifications } from '../../alerting/notifications/queue-notifications.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { testVault } from '../../../test-support/vault.ts'

const database = useDatabase()
const hour = 3_600_000
let api: TestApi
let channels: number[]
const now = Date.now()
const alerts: ReturnType<typeof anAlert>[] = []

beforeAll(async () => {
  const { db } = database
  api = await givenApi(db)
  const of = { accountId: api.accountId, checkId: (await givenCheck({ db }, { accountId: api.accountId })).id }
  const config = { url: 'https://hooks.example/x', webhookSecret: 'hush', template: 'x' }
  channels = [
    await givenChannel({ db, vault: testVault }, of, { config }),
    await givenChannel({ db, vault: testVault }, of, { type: 'EMAIL', config: { address: 'a@example.org' } }),
  ]
  alerts.push(
    anAlert({ ...of, decidedAt: now - 10 * hour }),
    anAlert({ ...of, alertType: 'ALERT_RECOVERY', decidedAt: now - hour }),
  )
  for (const alert of alerts) await db.transaction((client) => queueNotifications(client, [alert]))
  await db.pool.query(
    `UPDATE alert_notifications SET status = 'FAILURE', attempts = 6, notification_result = 'no', response_status = 500,
       next_attempt_at = NULL WHERE alert_id = $1 AND channel_id = $2`,
    [alerts[1]?.id, channels[0]],
  )
  await db.pool.query(
    `UPDATE alert_notifications SET status = 'SUCCESS', attempts = 1, accepted_at = $3, next_attempt_at = NULL
     WHERE alert_id = $1 AND channel_id = $2`,
    [alerts[1]?.id, channels[1], new Date(now - hour + 200)],
  )
})
afterAll(() => api.app.close())

const list = async (query = '', key?: string) =>
  api.call('GET', `/v1/alert-notifications${query}`, key === undefined ? {} : { key })
const seconds = (ms: number) => Math.floor(ms / 1000)
const resultsOf = async (query: string) => (await list(query)).list.map(({ checkResultId }) => checkResultId)

it('lists the last six hours by default, with contract fields and the timeline, no secret among them', async () => {
  const { list: entries, headers, text } = await list()
  expect(headers['content-range']).toBe('0-1/2')
  expect(text).not.toContain('hush')
  const alert = alerts[1] as NonNullable<(typeof alerts)[1]>
  expect(entries).toContainEqual({
    id: expect.any(String),
    type: 'EMAIL',
    status: 'SUCCESS',
    alertConfig: { address: 'a@example.org' },
    notificationResult: null,
    timestamp: new Date(now - hour + 200).toISOString(),
    checkType: 'API',
    checkId: alert.checkId,
    checkAlertId: alert.id,
    alertChannelId: channels[1],
    checkResultId: alert.resultId,
    checkName: alert.checkName,
    title: null,
    alertType: 'ALERT_RECOVERY',
    reminder: 0,
    attempts: 1,
    responseStatus: null,
    dueAt: new Date(alert.resultDueAt).toISOString(),
    startedAt: new Date(alert.startedAt ?? 0).toISOString(),
    finishedAt: new Date(alert.finishedAt ?? 0).toISOString(),
    decidedAt: new Date(alert.decidedAt).toISOString(),
    queuedAt: new Date(alert.decidedAt).toISOString(),
    acceptedAt: new Date(now - hour + 200).toISOString(),
    nextAttemptAt: null,
  })
})

it('gives no time of sending to what no receiver took', async () => {
  const { list: entries } = await list(`?checkId=${alerts[0]?.checkId}&from=0&limit=100`)
  const times = entries.map(({ status, timestamp }) => `${String(status)} ${timestamp === null ? 'not sent' : 'sent'}`)
  expect(times.sort()).toEqual(['FAILURE not sent', 'IN_PROGRESS not sent', 'IN_PROGRESS not sent', 'SUCCESS sent'])
})

it('takes a window of UNIX seconds: from is included, to is not', async () => {
  const [first, second] = alerts.map(({ resultId }) => resultId)
  const at = seconds(now - 10 * hour)
  expect(await resultsOf(`?from=${at}`)).toEqual([first, first])
  expect(await resultsOf(`?from=${at}&to=${seconds(now) + 1}`)).toEqual([second, second, first, first])
  expect(await resultsOf(`?from=${at + 1}&to=${at + 2}`)).toEqual([])
  expect(await resultsOf(`?from=${at - 1}&to=${at}`)).toEqual([])
})

it('narrows to a channel, to failures, to a check and to a result', async () => {
  const [first, second] = alerts as [(typeof alerts)[0], (typeof alerts)[0]]
  const statuses = async (query: string) => (await list(query)).list.map(({ status }) => status)
  expect(await statuses('?hasFailures=true')).toEqual(['FAILURE'])
  expect(await statuses('?hasFailures=false')).toEqual(['SUCCESS'])
  expect(await statuses(`?alertChannelId=${channels[0]}`)).toEqual(['FAILURE'])
  expect(await statuses(`?checkId=${first.checkId}&from=0&limit=100`)).toHaveLength(4)
  expect(await resultsOf(`?checkResultId=${first.resultId}`)).toEqual([first.resultId, first.resultId])
  expect(await resultsOf(`?checkResultId=${second.resultId}`)).toHaveLength(2)
  expect(await resultsOf(`?checkId=${randomUUID()}`)).toEqual([])
})

it('goes page by page', async () => {
  const page = await list(`?checkId=${alerts[0]?.checkId}&limit=3&page=2`)
  expect(page.list).toHaveLength(1)
  expect(page.headers['content-range']).toBe('3-3/4')
})

it.each([
  ['limit=0', 'limit', 'at least 1, got 0'],
  ['limit=101', 'limit', 'at most 100, got 101'],
  ['page=0', 'page', 'at least 1, got 0'],
  ['from=yesterday', 'from', 'UNIX timestamp'],
  ['from=200&to=100', 'to', 'must not be before "from", got 100'],
  ['alertChannelId=x', 'alertChannelId', 'must be a number'],
  ['hasFailures=maybe', 'hasFailures', 'must be a boolean'],
  ['colour=red', 'colour', 'is not a known parameter'],
])('refuses %s', async (query, key, text) => {
  const { status, body } = await list(`?${query}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ validation: { source: 'query', keys: [key] } })
  expect(body.message).toContain(text)
})

it('shows nothing of another account', async () => {
  const other = await givenApi(database.db)
  const { list: entries } = await other.call('GET', `/v1/alert-notifications?checkId=${alerts[0]?.checkId}`)
  expect(entries).toEqual([])
  await other.app.close()
})

it('lists what was decided at the same moment in the reverse of its order', async () => {
  const { db } = database
  const check = await givenCheck({ db }, { accountId: api.accountId })
  const of = { accountId: api.accountId, checkId: check.id, decidedAt: now - hour }
  await givenMailChannel({ db }, check)
  const types = ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE'] as const
  const batch = types.map((alertType) => anAlert({ ...of, alertType }))
  await db.transaction((client) => queueNotifications(client, batch))
  expect(await resultsOf(`?checkId=${check.id}`)).toEqual(batch.map(({ resultId }) => resultId).toReversed())
})
