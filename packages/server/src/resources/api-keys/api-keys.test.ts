import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { givenMember } from '../../../test-support/people.ts'
import { authenticator } from '../../access/authenticator.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

describe('API keys', () => {
  test('a new key is shown once, works with its role, and is stored as a hash only', async () => {
    const created = await api.call('POST', '/v1/api-keys', { body: { name: 'CI', role: 'run' } })
    expect(created).toMatchObject({ status: 201, body: { name: 'CI', role: 'run' } })
    const raw = String(created.body.rawKey)
    expect(String(created.body.maskedKey).endsWith(raw.slice(-4))).toBe(true)
    expect((await api.call('GET', '/v1/checks', { key: raw })).status).toBe(200)
    expect((await api.call('POST', '/v1/variables', { key: raw, body: { key: 'A', value: 'b' } })).status).toBe(403)
    const list = await api.call('GET', '/v1/api-keys')
    expect(list.text).toContain('"CI"')
    expect(list.text).not.toContain(raw)
    const { rows } = await database.db.pool.query<{ row: string }>(
      'SELECT k::text AS row FROM api_keys k WHERE name = $1',
      ['CI'],
    )
    expect(rows[0]?.row).not.toContain(raw)
  })

  test('a revoked key is refused by the very next request', async () => {
    const { body } = await api.call('POST', '/v1/api-keys', { body: { name: 'Old', role: 'read' } })
    const key = String(body.rawKey)
    expect((await api.call('GET', '/v1/checks', { key })).status).toBe(200)
    expect((await api.call('DELETE', `/v1/api-keys/${String(body.id)}`)).status).toBe(204)
    expect((await api.call('GET', '/v1/checks', { key })).status).toBe(401)
    expect((await api.call('DELETE', `/v1/api-keys/${String(body.id)}`)).status).toBe(404)
    expect((await api.call('GET', '/v1/api-keys')).text).not.toContain('"Old"')
  })

  test('another account’s key is not there', async () => {
    const other = await givenApi(database.db)
    const { body } = await other.call('POST', '/v1/api-keys', { body: { name: 'Theirs', role: 'read' } })
    expect((await api.call('DELETE', `/v1/api-keys/${String(body.id)}`)).status).toBe(404)
    expect((await api.call('GET', '/v1/api-keys')).text).not.toContain('Theirs')
  })

  test('a role that does not exist is refused', async () => {
    const answer = await api.call('POST', '/v1/api-keys', { body: { name: 'x', role: 'root' } })
    expect(answer).toMatchObject({
      status: 400,
      body: { message: '"role" must be one of read, run, write, admin, got "root"' },
    })
  })

  test('is refused once it has expired, also when it was used a moment before', async () => {
    const clock = new TestClock(Date.now())
    const authenticate = authenticator(database.db, clock)
    const timed = await givenApi(database.db, { deps: { authenticate, clock }, http: { authenticate } })
    const expiresAt = new Date(clock.now() + 60_000).toISOString()
    const { body } = await timed.call('POST', '/v1/api-keys', { body: { name: 'Short', role: 'read', expiresAt } })
    expect(body['expiresAt']).toBe(expiresAt)
    const key = String(body['rawKey'])
    await clock.advance(59_000)
    expect((await timed.call('GET', '/v1/checks', { key })).status).toBe(200)
    await clock.advance(1001)
    expect((await timed.call('GET', '/v1/checks', { key })).status).toBe(401)
  })

  test('says when it was last used, to the minute', async () => {
    const { body } = await api.call('POST', '/v1/api-keys', { body: { name: 'Used', role: 'read' } })
    expect(body['lastUsedAt']).toBeNull()
    await api.call('GET', '/v1/checks', { key: String(body['rawKey']) })
    const { list } = await api.call('GET', '/v1/api-keys?limit=100')
    const used = Date.parse(String(list.find(({ id }) => id === body['id'])?.['lastUsedAt']))
    expect(Math.abs(Date.now() - used)).toBeLessThan(60_000)
  })

  test('of a person may do what the person may, and ends when they leave', async () => {
    const own = await givenApi(database.db)
    const person = await givenMember(database.db, own.accountId, 'ADMIN')
    await givenMember(database.db, own.accountId, 'OWNER')
    const made = await own.app.inject({
      method: 'POST',
      url: '/v1/api-keys',
      headers: person.headers,
      payload: { name: 'Mine', role: 'admin', personal: true },
    })
    expect(made.json()).toMatchObject({ userId: person.userId, userEmail: person.email })
    const key = made.json<{ rawKey: string }>().rawKey
    const status = async (url: string) => (await own.call('GET', url, { key })).status
    const member = `/v1/accounts/me/members/${person.userId}`
    expect(await status('/v1/api-keys')).toBe(200)
    await own.call('PATCH', member, { body: { role: 'READ_ONLY' } })
    expect([await status('/v1/api-keys'), await status('/v1/checks')]).toEqual([403, 200])
    await own.call('DELETE', member)
    expect(await status('/v1/checks')).toBe(401)
  })

  test.each([
    [{ name: 'x', role: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'x', role: 'read', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'x', role: 'read', personal: true }, 'personal'],
    [{ name: 'x', role: 'owner' }, 'role'],
  ])('%j is refused', async (body, key) => {
    const answer = await api.call('POST', '/v1/api-keys', { body })
    expect([answer.status, answer.body['validation']]).toEqual([400, { source: 'payload', keys: [key] }])
  })
})
