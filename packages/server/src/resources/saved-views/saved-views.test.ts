import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const save = (body: object, by = api) => by.call('POST', '/v1/saved-views', { body })
const names = async (by = api) => (await by.call('GET', '/v1/saved-views')).list.map(({ name }) => name)

describe('saved views', () => {
  it('are listed by name for everybody of the account, and deleted', async () => {
    const made = await save({ name: ' Shop, slowest first ', query: 'tag=shop&sort=responseTime' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Shop, slowest first',
      query: 'tag=shop&sort=responseTime',
      created_at: expect.any(String),
    })
    await save({ name: 'all', query: '' })
    const { list } = await api.call('GET', '/v1/saved-views', { key: api.keys.read })
    expect(list.map(({ name }) => name)).toEqual(['all', 'Shop, slowest first'])
    expect(list).toContainEqual(made.body)
    const path = `/v1/saved-views/${String(made.body.id)}`
    expect((await api.call('DELETE', path)).status).toBe(204)
    expect((await api.call('DELETE', path)).status).toBe(404)
    expect(await names()).toEqual(['all'])
  })

  it('have names of their own within an account', async () => {
    const stranger = await givenApi(database.db)
    expect((await save({ name: 'Trouble', query: 'state=failing' })).status).toBe(201)
    const again = await save({ name: 'Trouble', query: '' })
    expect([again.status, again.body.message]).toEqual([
      409,
      'A view named "Trouble" exists already; choose another name.',
    ])
    expect((await save({ name: 'Trouble', query: '' }, stranger)).status).toBe(201)
    expect(await names(stranger)).toEqual(['Trouble'])
    await stranger.app.close()
  })

  it.each([
    [{ name: '  ', query: '' }, '"name" must not be empty'],
    [{ name: 'x'.repeat(61), query: '' }, '"name" must be at most 60 characters long, got 61'],
    [{ name: 'x', query: 'x'.repeat(2001) }, '"query" must be at most 2000 characters long, got 2001'],
    [{ name: 'x' }, '"query" is required'],
  ])('refuse %j', async (body, message) => {
    const { status, body: error } = await save(body)
    expect([status, error.message]).toEqual([400, message])
  })

  it('are at most a hundred, and written by those who may write', async () => {
    const own = await givenApi(database.db)
    const body = { name: 'x', query: '' }
    expect((await own.call('POST', '/v1/saved-views', { body, key: own.keys.read })).status).toBe(403)
    await database.db.pool.query(
      `INSERT INTO saved_views SELECT gen_random_uuid(), $1, 'view ' || n, '', now() FROM generate_series(1, 100) n`,
      [own.accountId],
    )
    const { status, body: error } = await save(body, own)
    expect([status, error.message]).toEqual([409, 'There are 100 saved views already; delete one that nobody needs.'])
    expect((await own.call('DELETE', `/v1/saved-views/${randomUUID()}`)).status).toBe(404)
    await own.app.close()
  })
})
