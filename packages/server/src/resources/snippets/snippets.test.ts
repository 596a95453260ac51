import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const script = 'request.headers["x-run"] = "synthetic"'
const create = (name: string, by = api) => by.call('POST', '/v1/snippets', { body: { name, script } })
const pathOf = (body: Record<string, unknown>) => `/v1/snippets/${String(body['id'])}`
const checkWith = (more: object, by = api) =>
  by.call('POST', '/v1/checks/api', {
    body: { name: 'Shop', request: { url: 'https://shop.example/' }, ...more },
  })

describe('snippets', () => {
  it('are created, read, replaced and deleted', async () => {
    const made = await create('sign-in')
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'sign-in',
        script,
        created_at: expect.any(String),
        updated_at: null,
        usedBy: [],
        usedByCount: 0,
      },
    ])
    const path = pathOf(made.body)
    expect((await api.call('GET', path)).body).toEqual(made.body)
    const sent = { ...made.body, name: 'sign-on', script: 'next()' }
    const replaced = await api.call('PUT', path, { body: sent })
    expect(replaced).toMatchObject({ status: 200, body: { ...sent, updated_at: expect.any(String) } })
    expect((await api.call('DELETE', path)).status).toBe(204)
    expect((await api.call('GET', path)).status).toBe(404)
    expect((await api.call('PUT', path, { body: { name: 'x', script } })).status).toBe(404)
    expect((await api.call('DELETE', path)).status).toBe(404)
  })

  it('are listed by name, in pages', async () => {
    const own = await givenApi(database.db)
    for (const name of ['c', 'a', 'b']) await create(name, own)
    const { list, headers } = await own.call('GET', '/v1/snippets?limit=2')
    expect([list.map(({ name }) => name), headers['content-range']]).toEqual([['a', 'b'], '0-1/3'])
    expect((await own.call('GET', '/v1/snippets?limit=2&page=2')).list.map(({ name }) => name)).toEqual(['c'])
    await own.app.close()
  })

  it('have names of their own within an account', async () => {
    const stranger = await givenApi(database.db)
    await create('taken')
    const other = await create('other')
    const refused = 'A snippet named "taken" exists already; choose another name.'
    expect(await create('taken')).toMatchObject({ status: 409, body: { message: refused } })
    const renamed = await api.call('PUT', pathOf(other.body), { body: { name: 'taken', script } })
    expect(renamed).toMatchObject({ status: 409, body: { message: refused } })
    expect((await create('taken', stranger)).status).toBe(201)
    expect((await stranger.call('GET', pathOf(other.body))).status).toBe(404)
    expect((await stranger.call('DELETE', pathOf(other.body))).status).toBe(404)
    await stranger.app.close()
  })

  it('are not overwritten by whoever read an older version', async () => {
    const made = await create('raced')
    const sent = { body: { name: 'raced', script: 'a()' }, headers: { 'if-match': String(made.headers['etag']) } }
    expect((await api.call('PUT', pathOf(made.body), sent)).status).toBe(200)
    expect((await api.call('PUT', pathOf(made.body), sent)).status).toBe(412)
  })

  it.each([
    [{ name: ' ', script }, '"name" must not be empty'],
    [{ name: 'x'.repeat(256), script }, '"name" must be at most 255 characters long, got 256'],
    [{ name: 'x' }, '"script" is required'],
    [{ name: 'x', script: '' }, '"script" must not be empty'],
    [{ name: 'x', script, code: '' }, '"code" is not a known field'],
  ])('refuse %j', async (body, message) => {
    const { status, body: error } = await api.call('POST', '/v1/snippets', { body })
    expect([status, error.message]).toEqual([400, message])
  })
})

describe('a check that uses a snippet', () => {
  it('says that it cannot run yet, and holds the snippet until it lets go of it', async () => {
    const { body: snippet } = await create('held')
    const check = await checkWith({ setupSnippetId: snippet['id'], tearDownSnippetId: snippet['id'] })
    expect(check).toMatchObject({ status: 201, body: { setupSnippetId: snippet['id'] } })
    const status = await api.call('GET', `/v1/check-statuses/${String(check.body.id)}`)
    expect(status.body.notRunnable).toMatch(/^Setup and teardown scripts cannot be run yet/)
    expect((await api.call('GET', pathOf(snippet))).body).toMatchObject({
      usedBy: [{ checkId: check.body.id, name: 'Shop' }],
      usedByCount: 1,
    })
    const refused = await api.call('DELETE', pathOf(snippet))
    expect(refused).toMatchObject({ status: 409, body: { message: 'It is used by "Shop"; change that check first.' } })
    const body = { setupSnippetId: null, tearDownSnippetId: null }
    await api.call('PUT', `/v1/checks/api/${String(check.body.id)}`, { body })
    expect((await api.call('DELETE', pathOf(snippet))).status).toBe(204)
  })

  it('cannot name a snippet of another account', async () => {
    const stranger = await givenApi(database.db)
    const { body: snippet } = await create('private')
    const refused = await checkWith({ setupSnippetId: snippet['id'] }, stranger)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `"setupSnippetId" names no snippet of this account, got ${String(snippet['id'])}`,
    ])
    await stranger.app.close()
  })

  it('names the first of many in the refusal', async () => {
    const { body: snippet } = await create('popular')
    for (let n = 1; n <= 7; n++) await checkWith({ name: `Check ${n}`, setupSnippetId: snippet['id'] })
    expect((await api.call('DELETE', pathOf(snippet))).body.message).toBe(
      'It is used by "Check 1", "Check 2", "Check 3", "Check 4", "Check 5" and 2 more; change those checks first.',
    )
  })

  it('does not come back after its snippet was deleted', async () => {
    const { body: snippet } = await create('gone')
    const { body: check } = await checkWith({ setupSnippetId: snippet['id'] })
    await api.call('DELETE', `/v1/checks/${String(check['id'])}`)
    expect((await api.call('DELETE', pathOf(snippet))).status).toBe(204)
    const restored = await api.call('POST', `/v1/checks/${String(check['id'])}/restore`)
    expect(restored).toMatchObject({
      status: 409,
      body: { message: 'A snippet that it uses was deleted meanwhile: it cannot come back.' },
    })
  })
})
