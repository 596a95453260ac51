import { defaultAlertSettings } from '@vedette/wire'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenSession, testBaseUrl } from '../../../test-support/http.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'

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
    [{ defaultLocations: [] }, 'at least 1 items long'],
    [{ id: 'x' }, '"id" is not a known field'],
  ])('%j is refused', async (body, message) => {
    const answer = await api.call('PATCH', '/v1/accounts/me', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })
})
