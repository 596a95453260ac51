import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { anAlert } from '../../../test-support/alerts.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { insertAlerts } from '../../alerting/notifications/alert-store.ts'

const database = useDatabase()
const now = Date.now()
const [minute, hour] = [60_000, 3_600_000]
let api: TestApi
let checkId: string

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())
beforeEach(async () => {
  checkId = await givenCheck('Shop')
})

async function givenCheck(name: string): Promise<string> {
  const { body } = await api.call('POST', '/v1/checks/api', {
    body: { name, request: { url: 'https://shop.example' } },
  })
  return String(body['id'])
}

async function given(check: string, ...more: Partial<Parameters<typeof anAlert>[0]>[]): Promise<void> {
  const alerts = more.map((one) => anAlert({ accountId: api.accountId, checkId: check, ...one }))
  await insertAlerts(database.db.pool, alerts)
}

const seconds = (ms: number) => Math.floor(ms / 1000)
const types = async (query = '', check = checkId) =>
  (await api.call('GET', `/v1/check-alerts/${check}${query}`)).list.map(({ alertType }) => alertType)

it('says of an alert what happened, where and when', async () => {
  await given(checkId, { decidedAt: now - minute, responseMs: 12.5 })
  const { list, headers } = await api.call('GET', `/v1/check-alerts/${checkId}`)
  expect(headers['content-range']).toBe('0-0/1')
  expect(list).toEqual([
    {
      id: expect.any(String),
      name: 'Shop',
      checkId,
      alertType: 'ALERT_FAILURE',
      checkType: 'API',
      runLocation: 'eu-central-1',
      responseTime: 12.5,
      error: 'Expected status 200, got 503',
      statusCode: '503',
      created_at: new Date(now - minute).toISOString(),
      startedAt: new Date(now - minute - 250).toISOString(),
      heldBackBy: null,
    },
  ])
})

it('lists alerts newest first, in pages, and those of one moment in their order', async () => {
  const decidedAt = now - minute
  await given(checkId, { decidedAt: decidedAt - 1, alertType: 'ALERT_DEGRADED' })
  await given(checkId, { decidedAt }, { decidedAt, alertType: 'ALERT_RECOVERY' })
  expect(await types('?limit=2')).toEqual(['ALERT_RECOVERY', 'ALERT_FAILURE'])
  expect(await types('?limit=2&page=2')).toEqual(['ALERT_DEGRADED'])
})

it('shows six hours at most, up to now unless stated', async () => {
  await given(
    checkId,
    { decidedAt: now - 7 * hour, alertType: 'ALERT_FAILURE' },
    { decidedAt: now - 5 * hour, alertType: 'ALERT_DEGRADED' },
    { decidedAt: now - minute, alertType: 'ALERT_RECOVERY' },
  )
  expect(await types()).toEqual(['ALERT_RECOVERY', 'ALERT_DEGRADED'])
  expect(await types(`?to=${seconds(now - hour)}`)).toEqual(['ALERT_DEGRADED', 'ALERT_FAILURE'])
  expect(await types(`?from=${seconds(now - 8 * hour)}`)).toEqual(['ALERT_DEGRADED', 'ALERT_FAILURE'])
  const refused = await api.call('GET', `/v1/check-alerts?from=${seconds(now - 7 * hour)}&to=${seconds(now)}`)
  expect([refused.status, refused.body['message']]).toEqual([
    400,
    expect.stringMatching(/^"to" must be at most six hours after "from", got /),
  ])
  const turned = await api.call('GET', `/v1/check-alerts?from=${seconds(now)}&to=${seconds(now - hour)}`)
  expect(turned).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^"from" must not be after/) } })
})

it('lists the alerts of all checks of the account, and of no deleted one', async () => {
  const own = await givenApi(database.db)
  const [kept, deleted] = [await givenCheck('kept'), await givenCheck('deleted')]
  await given(kept, { decidedAt: now })
  await given(deleted, { decidedAt: now - 1 })
  const names = async (by = api) => (await by.call('GET', '/v1/check-alerts?limit=2')).list.map(({ name }) => name)
  expect(await names()).toEqual(['kept', 'deleted'])
  await api.call('DELETE', `/v1/checks/${deleted}`)
  expect(await names()).not.toContain('deleted')
  expect((await api.call('GET', `/v1/check-alerts/${deleted}`)).status).toBe(404)
  expect(await names(own)).toEqual([])
  expect((await own.call('GET', `/v1/check-alerts/${kept}`)).status).toBe(404)
  expect((await api.call('GET', `/v1/check-alerts/${randomUUID()}`)).status).toBe(404)
  await own.app.close()
})

it('has no alerts of the installation itself', async () => {
  await database.db.pool.query(
    `INSERT INTO check_alerts (id, account_id, alert_type, location, error, reminder, created_at)
     VALUES ($1, $2, 'ALERT_SYSTEM', NULL, 'no disk', 0, now())`,
    [randomUUID(), api.accountId],
  )
  const { list } = await api.call('GET', '/v1/check-alerts?limit=100')
  expect(list.map(({ alertType }) => alertType)).not.toContain('ALERT_SYSTEM')
})

it('has an index behind both lists', async () => {
  const plan = (where: string, value: string) =>
    database.db.transaction(async (client) => {
      await client.query('SET LOCAL enable_seqscan = off')
      const { rows } = await client.query(
        `EXPLAIN SELECT a.id FROM check_alerts a WHERE ${where} ORDER BY a.created_at DESC, a.seq DESC LIMIT 10`,
        [value],
      )
      return JSON.stringify(rows)
    })
  expect(await plan('account_id = $1 AND check_id IS NOT NULL', api.accountId)).toContain('check_alerts_account')
  expect(await plan('check_id = $1', checkId)).toContain('check_alerts_check')
})
