import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '@vedette/wire'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenMember } from '../../../test-support/people.ts'

const database = useDatabase()

async function setUp() {
  const api = await givenApi(database.db)
  const list = async (query = '') => {
    const answer = await api.call('GET', `/v1/audit-log?limit=100${query}`)
    return answer.list as unknown as AuditEntry[]
  }
  return { api, list }
}

const makeVariable = (api: TestApi, key: string, headers?: Record<string, string>) =>
  api.app.inject({
    method: 'POST',
    url: '/v1/variables',
    headers: headers ?? { authorization: `Bearer ${api.keys.admin}` },
    payload: { key, value: 'a very secret value', secret: true },
  })

describe('the audit log', () => {
  test('says who changed what, when and how, the newest first', async () => {
    const { api, list } = await setUp()
    const person = await givenMember(database.db, api.accountId, 'ADMIN')
    await api.call('POST', '/v1/saved-views', { body: { name: 'Mine', query: '' } })
    const renamed = await api.app.inject({
      method: 'PATCH',
      url: '/v1/accounts/me',
      headers: person.headers,
      payload: { name: 'Shop team' },
    })
    const [second, first] = await list()
    expect(second).toMatchObject({
      actor: `user:${person.userId}`,
      actorName: person.email,
      action: 'update',
      resource: 'accounts',
      resourceId: api.accountId,
      requestId: renamed.headers['x-request-id'],
      after: { name: 'Shop team' },
    })
    expect(first).toMatchObject({ actorName: 'admin key', action: 'create', resource: 'saved-views', before: null })
    expect(Date.parse(first?.at ?? '')).toBeLessThanOrEqual(Date.parse(second?.at ?? ''))
  })

  test('holds no secret', async () => {
    const { api, list } = await setUp()
    await makeVariable(api, 'TOKEN')
    const key = await api.call('POST', '/v1/api-keys', { body: { name: 'CI', role: 'run' } })
    await api.call('POST', '/v1/checks/api', {
      body: {
        name: 'Shop',
        request: { url: 'https://shop.example', basicAuth: { username: 'ann', password: 'a basic password' } },
      },
    })
    const entries = await list()
    expect(entries.map(({ resource }) => resource)).toEqual(['checks', 'api-keys', 'variables'])
    const text = JSON.stringify(entries)
    for (const secret of ['a very secret value', 'a basic password', String(key.body['rawKey'])])
      expect(text).not.toContain(secret)
  })

  test('is filtered by resource, thing, actor, action and time', async () => {
    const { api, list } = await setUp()
    const person = await givenMember(database.db, api.accountId, 'ADMIN')
    await makeVariable(api, 'ONE')
    await makeVariable(api, 'TWO', person.headers)
    await api.call('DELETE', '/v1/variables/ONE')
    await api.call('POST', '/v1/saved-views', { body: { name: 'Mine', query: '' } })
    const things = async (query: string) =>
      (await list(query)).map(({ action, resourceId }) => `${action} ${resourceId}`)
    expect(await things('&resource=variables')).toEqual(['delete ONE', 'create TWO', 'create ONE'])
    expect(await things('&resourceId=ONE')).toEqual(['delete ONE', 'create ONE'])
    expect(await things(`&actor=user:${person.userId}`)).toEqual(['create TWO'])
    expect(await things('&action=delete&resource=variables')).toEqual(['delete ONE'])
    await database.db.pool.query(
      `UPDATE audit_log SET at = CASE resource_id WHEN 'ONE' THEN timestamptz '2026-01-01' ELSE '2026-01-02' END
       WHERE account_id = $1`,
      [api.accountId],
    )
    expect(await things('&resource=variables&to=2026-01-02')).toEqual(['delete ONE', 'create ONE'])
    expect(await things('&resource=variables&from=2026-01-02')).toEqual(['create TWO'])
  })

  test('is read in pages that say how much there is', async () => {
    const { api } = await setUp()
    for (const key of ['A', 'B', 'C']) await makeVariable(api, key)
    const page = await api.call('GET', '/v1/audit-log?limit=2&page=2')
    expect([page.headers['content-range'], page.list.map((one) => one['resourceId'])]).toEqual(['2-2/3', ['A']])
  })

  test('is for admins', async () => {
    const { api } = await setUp()
    expect((await api.call('GET', '/v1/audit-log', { key: api.keys.write })).status).toBe(403)
  })

  test.each([
    ['?action=look', 'action'],
    ['?from=yesterday', 'from'],
    ['?from=2026-01-02&to=2026-01-01', 'from'],
    ['?who=me', 'who'],
  ])('refuses %s', async (query, key) => {
    const { api } = await setUp()
    const answer = await api.call('GET', `/v1/audit-log${query}`)
    expect([answer.status, answer.body['validation']]).toEqual([400, { source: 'query', keys: [key] }])
  })
})
