import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

describe('variables', () => {
  test('one is created, read, changed and deleted', async () => {
    const created = await api.call('POST', '/v1/variables', { body: { key: 'HOST', value: 'shop.example' } })
    expect(created).toMatchObject({
      status: 201,
      body: { key: 'HOST', value: 'shop.example', locked: false, secret: false },
    })
    const changed = await api.call('PUT', '/v1/variables/HOST', { body: { value: 'new.example', locked: true } })
    expect(changed).toMatchObject({ status: 200, body: { key: 'HOST', value: 'new.example', locked: true } })
    expect((await api.call('GET', '/v1/variables/HOST')).body).toEqual(changed.body)
    expect((await api.call('DELETE', '/v1/variables/HOST')).status).toBe(204)
    expect((await api.call('GET', '/v1/variables/HOST')).status).toBe(404)
    expect((await api.call('PUT', '/v1/variables/HOST', { body: { value: 'x' } })).status).toBe(404)
  })

  test('one that was deleted comes back, unless another one has its name', async () => {
    const restore = () => api.call('POST', '/v1/variables/BACK/restore')
    await api.call('POST', '/v1/variables', { body: { key: 'BACK', value: 'first', locked: true } })
    await api.call('DELETE', '/v1/variables/BACK')
    expect((await api.call('GET', '/v1/variables?limit=100')).list.map(({ key }) => key)).not.toContain('BACK')
    expect(await restore()).toMatchObject({ status: 200, body: { key: 'BACK', value: 'first', locked: true } })
    expect((await restore()).status).toBe(404)
    await api.call('DELETE', '/v1/variables/BACK')
    const second = await api.call('POST', '/v1/variables', { body: { key: 'BACK', value: 'second' } })
    expect(second).toMatchObject({ status: 201, body: { value: 'second', locked: false } })
    expect((await restore()).status).toBe(404)
    await api.call('DELETE', '/v1/variables/BACK')
    await database.db.pool.query(`UPDATE variables SET deleted_at = now() - interval '25 hours' WHERE key = 'BACK'`)
    expect((await restore()).status).toBe(404)
  })

  test('the schedule is notified of every write, so that the next run sees it', async () => {
    const changed: string[] = []
    const other = await givenApi(database.db, {
      hooks: { variablesChanged: (accountId) => void changed.push(accountId) },
    })
    await other.call('POST', '/v1/variables', { body: { key: 'SEEN', value: 'a' } })
    await other.call('PUT', '/v1/variables/SEEN', { body: { value: 'b' } })
    await other.call('DELETE', '/v1/variables/SEEN')
    expect(changed).toEqual([other.accountId, other.accountId, other.accountId])
  })

  test('a taken key is a 409', async () => {
    await api.call('POST', '/v1/variables', { body: { key: 'TAKEN', value: 'first' } })
    const second = await api.call('POST', '/v1/variables', { body: { key: 'TAKEN', value: 'second' } })
    expect(second).toMatchObject({ status: 409, body: { error: 'Conflict' } })
    expect((await api.call('GET', '/v1/variables/TAKEN')).body.value).toBe('first')
  })

  test('the value of a secret is never shown again, not even after it was changed to be no secret', async () => {
    const body = { key: 'TOKEN', value: 'open sesame', secret: true }
    const created = await api.call('POST', '/v1/variables', { body })
    expect(created.body).toEqual({ key: 'TOKEN', value: null, locked: false, secret: true })
    const changed = await api.call('PUT', '/v1/variables/TOKEN', { body: { value: 'abracadabra', secret: false } })
    expect(changed.body).toMatchObject({ value: null, secret: true })
    const list = await api.call('GET', '/v1/variables?limit=100')
    expect(list.text + changed.text + created.text).not.toMatch(/open sesame|abracadabra/)
  })

  test('values are sealed at rest, whether secret or not', async () => {
    await api.call('POST', '/v1/variables', { body: { key: 'PLAIN', value: 'quite readable' } })
    const { rows } = await database.db.pool.query('SELECT value FROM variables WHERE account_id = $1', [api.accountId])
    expect(JSON.stringify(rows)).not.toContain('quite readable')
  })

  test('locked stays when it is not sent, and a key sent along changes nothing', async () => {
    await api.call('POST', '/v1/variables', { body: { key: 'LOCKED', value: 'a', locked: true } })
    const changed = await api.call('PUT', '/v1/variables/LOCKED', { body: { key: 'OTHER', value: 'b' } })
    expect(changed.body).toEqual({ key: 'LOCKED', value: 'b', locked: true, secret: false })
  })

  test('the list is paged by name and says how much there is', async () => {
    const own = await givenApi(database.db)
    for (const key of ['C', 'A', 'B']) await own.call('POST', '/v1/variables', { body: { key, value: key } })
    const first = await own.call('GET', '/v1/variables?limit=2')
    expect(first.list.map(({ key }) => key)).toEqual(['A', 'B'])
    expect(first.headers['content-range']).toBe('0-1/3')
    const second = await own.call('GET', '/v1/variables?limit=2&page=2')
    expect(second.list.map(({ key }) => key)).toEqual(['C'])
    expect(second.headers['content-range']).toBe('2-2/3')
    expect((await own.call('GET', '/v1/variables?page=9')).headers['content-range']).toBe('*/3')
  })

  test('the list is searched by a part of the name', async () => {
    const own = await givenApi(database.db)
    for (const key of ['SHOP_URL', 'SHOP_TOKEN', 'API_URL'])
      await own.call('POST', '/v1/variables', { body: { key, value: key } })
    const found = async (search: string) => {
      const { list, headers } = await own.call('GET', `/v1/variables?search=${search}`)
      return [list.map(({ key }) => key), headers['content-range']]
    }
    expect(await found('shop')).toEqual([['SHOP_TOKEN', 'SHOP_URL'], '0-1/2'])
    expect(await found('_url')).toEqual([['API_URL', 'SHOP_URL'], '0-1/2'])
    expect(await found('%25')).toEqual([[], '*/0'])
  })

  test('a page of two thousand is read in order', async () => {
    const own = await givenApi(database.db)
    await database.db.pool.query(
      `INSERT INTO variables (account_id, key, value, locked, secret, version, created_at)
       SELECT $1, 'V_' || lpad(n::text, 4, '0'), '', false, true, 1, now() FROM generate_series(0, 1999) n`,
      [own.accountId],
    )
    const { list, headers } = await own.call('GET', '/v1/variables?limit=100&page=20')
    expect([list.length, list[0]?.key, list[99]?.key]).toEqual([100, 'V_1900', 'V_1999'])
    expect(headers['content-range']).toBe('1900-1999/2000')
  })

  test.each(['1A', 'A-B', 'A B', '', 'É'])('the name %j is refused', async (key) => {
    const answer = await api.call('POST', '/v1/variables', { body: { key, value: 'v' } })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('"key" must start with a letter or _')
  })

  test('a value of the wrong type is refused without repeating it', async () => {
    const answer = await api.call('POST', '/v1/variables', { body: { key: 'PIN', value: 987_654 } })
    expect(answer).toMatchObject({ status: 400, body: { message: '"value" must be a string' } })
    const missing = await api.call('PUT', '/v1/variables/PIN', { body: {} })
    expect(missing).toMatchObject({ status: 400, body: { message: '"value" is required' } })
  })

  test('If-Match guards against overwriting', async () => {
    const { headers } = await api.call('POST', '/v1/variables', { body: { key: 'RACE', value: '1' } })
    const sent = { body: { value: '2' }, headers: { 'if-match': String(headers.etag) } }
    expect((await api.call('PUT', '/v1/variables/RACE', sent)).status).toBe(200)
    expect((await api.call('PUT', '/v1/variables/RACE', sent)).status).toBe(412)
  })
})
