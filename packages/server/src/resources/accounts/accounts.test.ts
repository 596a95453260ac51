import { defaultAlertSettings } from '@vedette/wire'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenSession, testBaseUrl } from '../../../test-support/http.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { copyCheck } from '../../../test-support/checks.ts'
import type { StoredEffective } from '../../settings/store.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

describe('accounts', () => {
  test('a key sees its own account alone', async () => {
    const me = await api.call('GET', '/v1/accounts/me')
    expect(me.body).toMatchObject({ id: api.accountId, alertSettings: defaultAlertSettings, updated_at: null })
    expect((await api.call('GET', '/v1/accounts')).list).toEqual([me.body])
    expect((await api.call('GET', `/v1/accounts/${api.accountId}`)).body).toEqual(me.body)
    const other = await givenApi(database.db)
    expect((await api.call('GET', `/v1/accounts/${other.accountId}`)).status).toBe(404)
  })

  test('a person sees all accounts they belong to', async () => {
    const other = await givenApi(database.db)
    const cookie = await givenSession(database.db, [
      { accountId: api.accountId, role: 'read' },
      { accountId: other.accountId, role: 'read' },
    ])
    const answer = await api.app.inject({ url: '/v1/accounts', headers: { cookie, host: new URL(testBaseUrl).host } })
    const seen = answer.json<{ id: string }[]>().map(({ id }) => id)
    expect(seen.toSorted()).toEqual([api.accountId, other.accountId].toSorted())
  })

  test('an admin changes name, alert settings and default locations; the rest of the settings is completed', async () => {
    const own = await givenApi(database.db)
    const body = {
      name: 'Shop team',
      alertSettings: { runBasedEscalation: { failedRunThreshold: 3 } },
      defaultLocations: ['eu-west-1', 'us-east-1'],
    }
    const changed = await own.call('PATCH', '/v1/accounts/me', { body })
    expect(changed.body).toMatchObject({
      name: 'Shop team',
      alertSettings: { ...defaultAlertSettings, runBasedEscalation: { failedRunThreshold: 3 } },
      defaultLocations: ['eu-west-1', 'us-east-1'],
    })
    expect((await own.call('GET', '/v1/accounts/me')).body).toEqual(changed.body)
    expect((await own.call('PATCH', '/v1/accounts/me', { body: { name: 'x' }, key: own.keys.write })).status).toBe(403)
  })

  test.each([
    [{ alertSettings: { runBasedEscalation: { failedRunThreshold: 6 } } }, 'at most 5, got 6'],
    [{ defaultLocations: [] }, 'must not be empty'],
    [{ id: 'x' }, '"id" is not a known field'],
  ])('%j is refused', async (body, message) => {
    const answer = await api.call('PATCH', '/v1/accounts/me', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})

describe('a change of the account', () => {
  const effective = async (id: unknown) => {
    const { rows } = await database.db.pool.query<{ effective: StoredEffective; version: number }>(
      'SELECT effective, version FROM checks WHERE id = $1',
      [id],
    )
    return rows[0]?.effective
  }
  const check = (more: Record<string, unknown> = {}) => ({
    name: 'Shop',
    request: { method: 'GET', url: 'https://shop.example' },
    ...more,
  })

  test('reaches the checks that follow it, in one go, and the schedule is notified once', async () => {
    const changed: (readonly string[])[] = []
    const own = await givenApi(database.db, { hooks: { checksChanged: (ids) => void changed.push(ids) } })
    const made = await own.call('POST', '/v1/checks/api', { body: check() })
    const own2 = { locations: ['eu-west-1'], useGlobalAlertSettings: false, alertSettings: {} }
    const apart = await own.call('POST', '/v1/checks/api', { body: check(own2) })
    const before = await effective(apart.body['id'])
    expect((await effective(made.body['id']))?.locations).toEqual(['eu-central-1'])
    const body = { alertSettings: { reminders: { amount: 3 } }, defaultLocations: ['us-east-1', 'us-east-2'] }
    expect((await own.call('PATCH', '/v1/accounts/me', { body })).status).toBe(200)
    expect(await effective(made.body['id'])).toMatchObject({
      locations: ['us-east-1', 'us-east-2'],
      alertSettings: { ...defaultAlertSettings, reminders: { amount: 3, interval: 5 } },
    })
    expect(await effective(apart.body['id'])).toEqual(before)
    await own.call('PATCH', '/v1/accounts/me', { body: { name: 'Other' } })
    await own.call('PATCH', '/v1/accounts/me', { body })
    expect(changed).toEqual([[made.body['id']]])
  })

  test('reaches more checks than fit one batch', async () => {
    const changed: string[] = []
    const own = await givenApi(database.db, { hooks: { checksChanged: (ids) => void changed.push(...ids) } })
    const made = await own.call('POST', '/v1/checks/api', { body: check() })
    await copyCheck(database, String(made.body['id']), { times: 1100, name: 'Check' })
    await own.call('PATCH', '/v1/accounts/me', { body: { defaultLocations: ['af-south-1'] } })
    const { rows } = await database.db.pool.query(
      `SELECT count(*)::int AS n FROM checks WHERE account_id = $1 AND effective->'locations' = '["af-south-1"]'`,
      [own.accountId],
    )
    expect(rows).toEqual([{ n: 1101 }])
    expect(new Set(changed).size).toBe(1101)
    await database.db.pool.query(
      'DELETE FROM checks WHERE account_id = $1 AND id NOT IN (SELECT check_id FROM check_status)',
      [own.accountId],
    )
  })

  test('and one of a check at the same time never leave what neither of them says', async () => {
    const own = await givenApi(database.db)
    const made = await own.call('POST', '/v1/checks/api', { body: check() })
    const url = `/v1/checks/api/${String(made.body['id'])}`
    const regions = ['us-east-1', 'eu-west-1', 'eu-west-2', 'af-south-1'] as const
    await Promise.all(
      regions.flatMap((region, n) => [
        own.call('PATCH', '/v1/accounts/me', { body: { defaultLocations: [region] } }),
        own.call('PUT', url, { body: { name: `Shop ${n}`, muted: n % 2 === 0 } }),
        own.call('POST', '/v1/checks/api', { body: check() }),
      ]),
    )
    const { rows } = await database.db.pool.query<{ locations: string[]; ends: string[] }>(
      `SELECT ARRAY(SELECT jsonb_array_elements_text(c.effective->'locations')) AS locations, a.default_locations AS ends
       FROM checks c JOIN accounts a ON a.id = c.account_id WHERE a.id = $1`,
      [own.accountId],
    )
    expect(rows).toHaveLength(5)
    for (const { locations, ends } of rows) expect(locations).toEqual(ends)
  })

  test('is not undone by a schedule that does not take it', async () => {
    const own = await givenApi(database.db, { hooks: { checksChanged: () => Promise.reject(new Error('away')) } })
    await own.call('POST', '/v1/checks/api', { body: check() })
    const body = { defaultLocations: ['af-south-1'] }
    expect(await own.call('PATCH', '/v1/accounts/me', { body })).toMatchObject({ status: 200, body })
  })
})
