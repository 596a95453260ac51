import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'

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
})
