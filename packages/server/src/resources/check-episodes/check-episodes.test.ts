import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenChannel } from '../../../test-support/alerts.ts'
import type { GivenCheck } from '../../../test-support/checks.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenSession } from '../../../test-support/http.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { overviewRowOf } from '../../../test-support/overview.ts'
import { testVault as vault } from '../../../test-support/vault.ts'

const database = useDatabase()
const setup = useIngest(database)
const minute = 60_000
let api: TestApi
let check: GivenCheck
const acknowledgedOf: string[] = []

beforeAll(async () => {
  api = await givenApi(database.db, { hooks: { acknowledged: (_, id) => void acknowledgedOf.push(id) } })
})
beforeEach(async () => {
  acknowledgedOf.length = 0
  const body = {
    name: 'Shop',
    frequency: 1,
    doubleCheck: false,
    locations: ['eu-west-1'],
    request: { url: 'http://127.0.0.1:1/' },
  }
  const { body: made } = await api.call('POST', '/v1/checks/api?autoAssignAlerts=false', { body })
  check = { id: String(made['id']), accountId: api.accountId }
})

async function runs(...outcomes: ('pass' | 'fail')[]): Promise<number[]> {
  const due: number[] = []
  for (const outcome of outcomes) {
    await setup.clock.advance(minute)
    const at = setup.clock.now()
    due.push(at)
    const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
    await setup.take([incomingResult(check, at, { outcome, receivedAt: at, identity })])
  }
  return due
}
const path = (end: string) => `/v1/checks/${check.id}/${end}`
const iso = (ms: number | undefined) => new Date(ms ?? 0).toISOString()

describe('GET /v1/checks/{id}/episodes', () => {
  test('lists them, newest first, with who was notified', async () => {
    const of = { accountId: check.accountId, checkId: check.id }
    const config = { address: 'on-call@example.org' }
    const mail = await givenChannel({ db: database.db, vault }, of, { type: 'EMAIL', config })
    const quiet = { failure: false, recovery: true }
    await givenChannel({ db: database.db, vault }, of, { type: 'EMAIL', config, flags: quiet })
    const due = await runs('fail', 'pass', 'fail')
    const answer = await api.call('GET', path('episodes'))
    expect(answer).toMatchObject({ status: 200, headers: { 'content-range': '0-1/2' } })
    expect(answer.list).toMatchObject([
      { state: 'failing', startedAt: iso(due[2]), endedAt: null, cause: 'fail here', acknowledgedBy: null },
      { state: 'failing', startedAt: iso(due[0]), endedAt: iso(due[1]), durationMs: (due[1] ?? 0) - (due[0] ?? 0) },
    ])
    const notified = [{ channelId: mail, type: 'EMAIL', name: 'on-call@example.org', status: 'IN_PROGRESS' }]
    expect(answer.list.map((episode) => episode['notified'])).toEqual([notified, notified])
  })

  test('tells one channel once, as notified as soon as it accepted a notification', async () => {
    const of = { accountId: check.accountId, checkId: check.id }
    await givenChannel({ db: database.db, vault }, of, { type: 'EMAIL', config: { address: 'a@example.org' } })
    await runs('fail')
    await database.db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE' WHERE check_id = $1`, [check.id])
    await runs('fail')
    const statuses = async () =>
      (await api.call('GET', path('episodes'))).list.map((one) => (one['notified'] as { status: string }[])[0]?.status)
    expect(await statuses()).toEqual(['IN_PROGRESS'])
    await database.db.pool.query(
      `UPDATE alert_notifications SET status = 'SUCCESS' WHERE check_id = $1 AND round = 0`,
      [check.id],
    )
    expect(await statuses()).toEqual(['SUCCESS'])
  })

  test('takes a time in which they lasted, and pages', async () => {
    const due = await runs('fail', 'pass', 'pass', 'fail', 'pass', 'pass', 'fail')
    const started = async (query: string) =>
      (await api.call('GET', `${path('episodes')}?${query}`)).list.map((one) => one['startedAt'])
    const at = (nr: number) => (due[nr] ?? 0) / 1000
    expect(await started(`from=${at(2)}`)).toEqual([iso(due[6]), iso(due[3])])
    expect(await started(`from=${at(2)}&to=${at(5)}`)).toEqual([iso(due[3])])
    expect(await started(`to=${at(3)}`)).toEqual([iso(due[0])])
    expect(await started('limit=1&page=2')).toEqual([iso(due[3])])
    const answer = await api.call('GET', `${path('episodes')}?from=${at(2)}&to=${at(1)}`)
    expect(answer).toMatchObject({ status: 400, body: { validation: { keys: ['from'] } } })
  })

  test('is a 404 for a check that the account does not have', async () => {
    expect((await api.call('GET', `/v1/checks/${randomUUID()}/episodes`)).status).toBe(404)
  })
})

describe('acknowledging', () => {
  const overviewRow = async () => (await overviewRowOf(api, check.id, setup.clock.now()))?.acknowledged

  test('says who cares, by the name of the key, and tells open pages', async () => {
    await runs('fail')
    const answer = await api.call('POST', path('acknowledge'))
    expect(answer).toMatchObject({ status: 200, body: { state: 'failing', acknowledgedBy: 'admin key' } })
    expect((await api.call('GET', path('episodes'))).list).toMatchObject([answer.body])
    expect(await overviewRow()).toEqual({ by: 'admin key', at: answer.body['acknowledgedAt'] })
    expect(acknowledgedOf).toEqual([check.id])
    const { rows } = await database.db.pool.query(
      `SELECT action, before, after FROM audit_log WHERE resource = 'checks' AND resource_id = $1 AND action <> 'create'`,
      [check.id],
    )
    expect(rows).toMatchObject([
      { action: 'acknowledge', before: { acknowledgedBy: null }, after: { acknowledgedBy: 'admin key' } },
    ])
  })

  test('says so by the address of a person, and the next one takes over', async () => {
    await runs('fail')
    await api.call('POST', path('acknowledge'))
    const cookie = await givenSession(database.db, [{ accountId: api.accountId, role: 'write' }])
    const response = await api.app.inject({
      method: 'POST',
      url: path('acknowledge'),
      headers: { cookie, origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
    })
    expect(response.json()).toMatchObject({ acknowledgedBy: expect.stringMatching(/@example\.test$/) as unknown })
  })

  test('a second time by the same one leaves the time as it was', async () => {
    await runs('fail')
    const first = await api.call('POST', path('acknowledge'))
    await new Promise((resolve) => setTimeout(resolve, 2))
    const second = await api.call('POST', path('acknowledge'), { body: {} })
    expect(second.body['acknowledgedAt']).toBe(first.body['acknowledgedAt'])
  })

  test('is a 409 when nothing is wrong', async () => {
    await runs('pass')
    expect(await api.call('POST', path('acknowledge'))).toMatchObject({
      status: 409,
      body: { message: 'Nothing is wrong with the check now, so there is nothing to acknowledge.' },
    })
    expect((await api.call('DELETE', path('acknowledge'))).status).toBe(204)
  })

  test('can be taken back', async () => {
    await runs('fail')
    await api.call('POST', path('acknowledge'))
    expect((await api.call('DELETE', path('acknowledge'))).status).toBe(204)
    expect((await api.call('GET', path('episodes'))).list).toMatchObject([
      { acknowledgedBy: null, acknowledgedAt: null },
    ])
    expect(await overviewRow()).toBeNull()
  })

  test('is for those who may write', async () => {
    await runs('fail')
    expect((await api.call('POST', path('acknowledge'), { key: api.keys.run })).status).toBe(403)
  })
})

describe('an episode ends', () => {
  const open = async () =>
    (await database.db.pool.query('SELECT 1 FROM check_episodes WHERE check_id = $1 AND ended_at IS NULL', [check.id]))
      .rows.length

  test('when the check is paused', async () => {
    await runs('fail')
    expect((await api.call('PUT', `/v1/checks/api/${check.id}`, { body: { activated: false } })).status).toBe(200)
    expect(await open()).toBe(0)
  })

  test('when it is deleted, and goes on when that is undone', async () => {
    await runs('fail')
    await api.call('POST', path('acknowledge'))
    await api.call('DELETE', `/v1/checks/${check.id}`)
    expect(await open()).toBe(0)
    expect((await api.call('POST', path('restore'))).status).toBe(200)
    expect((await api.call('GET', path('episodes'))).list).toMatchObject([
      { endedAt: null, acknowledgedBy: 'admin key' },
    ])
  })
})
