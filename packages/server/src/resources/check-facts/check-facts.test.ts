import { randomUUID } from 'node:crypto'
import type { CheckFacts } from '@vedette/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenSession, testBaseUrl } from '../../../test-support/http.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const path = '/v1/checks/api'
const givenCheckId = async () => {
  const body = { name: 'Shop', request: { url: 'https://shop.example' } }
  return String((await api.call('POST', `${path}?autoAssignAlerts=false`, { body })).body['id'])
}
const factsOf = async (id: string) => (await api.call('GET', `/v1/checks/${id}/facts`)).body as unknown as CheckFacts

describe('the certificate of a check', () => {
  const sees = (id: string, days: number) =>
    database.db.pool.query(
      `UPDATE check_status SET ssl_not_after = now() + $2 * interval '1 day' + interval '1 hour' WHERE check_id = $1`,
      [id, days],
    )
  const channel = async (id: string, more: object, activated = true) => {
    const subscriptions = [{ checkId: id, activated }]
    const body = { type: 'EMAIL', config: { address: 'a@example.org' }, subscriptions, ...more }
    expect((await api.call('POST', '/v1/alert-channels', { body })).status).toBe(201)
  }

  it('is not known before a run has seen one', async () => {
    expect((await factsOf(await givenCheckId())).certificate).toBeNull()
  })

  it('is told with the days that are left and whether anybody is alerted', async () => {
    const id = await givenCheckId()
    await sees(id, 12)
    const { certificate } = await factsOf(id)
    expect(certificate).toEqual({ expiresAt: expect.any(String), daysRemaining: 12, alertFromDays: null })
    await sees(id, -3)
    expect((await factsOf(id)).certificate?.daysRemaining).toBe(-3)
  })

  it('is alerted of from the largest threshold of the channels that are told of it', async () => {
    const id = await givenCheckId()
    await sees(id, 12)
    await channel(id, { sslExpiry: false, sslExpiryThreshold: 30 })
    await channel(id, { sslExpiry: true, sslExpiryThreshold: 29 }, false)
    expect((await factsOf(id)).certificate?.alertFromDays).toBeNull()
    await channel(id, { sslExpiry: true, sslExpiryThreshold: 7 })
    await channel(id, { sslExpiry: true, sslExpiryThreshold: 14 })
    expect((await factsOf(id)).certificate?.alertFromDays).toBe(14)
  })
})

describe('the last change of a check', () => {
  const by = async (id: string) => {
    const { lastChange } = await factsOf(id)
    return lastChange && [lastChange.byKind, lastChange.by]
  }

  it('names the key or the person, however the check was changed', async () => {
    const id = await givenCheckId()
    const { rows } = await database.db.pool.query<{ name: string }>(
      `SELECT name FROM api_keys WHERE account_id = $1 AND role = 'admin'`,
      [api.accountId],
    )
    expect(await by(id)).toEqual(['key', rows[0]?.name])

    const cookie = await givenSession(database.db, [{ accountId: api.accountId, role: 'write' }])
    const headers = { cookie, origin: testBaseUrl, host: new URL(testBaseUrl).host }
    const change = {
      method: 'POST',
      url: '/v1/checks/bulk',
      headers,
      payload: { ids: [id], change: { activated: false } },
    } as const
    expect((await api.app.inject(change)).statusCode).toBe(200)
    expect(await by(id)).toEqual(['user', expect.stringContaining('@')])

    await api.call('PUT', `${path}/${id}`, { body: { name: 'Shop again' } })
    expect((await by(id))?.[0]).toBe('key')
  })

  it('is no run and no other check, and is not known where nothing was written down', async () => {
    const id = await givenCheckId()
    const before = (await factsOf(id)).lastChange
    await api.call('POST', `/v1/checks/${id}/run`, { body: {} })
    await givenCheckId()
    expect((await factsOf(id)).lastChange).toEqual(before)
    await database.db.pool.query('DELETE FROM audit_log WHERE resource_id = $1', [id])
    expect((await factsOf(id)).lastChange).toBeNull()
  })
})

it('nothing is told of the checks of others', async () => {
  const id = await givenCheckId()
  const stranger = await givenApi(database.db)
  expect((await stranger.call('GET', `/v1/checks/${id}/facts`)).status).toBe(404)
  expect((await api.call('GET', `/v1/checks/${randomUUID()}/facts`)).status).toBe(404)
  await stranger.app.close()
})
