import { randomUUID } from 'node:crypto'
import { checkTypes } from '@vedette/checks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const request = { url: 'https://shop.example' }
const create = (name: string, parentCheckIds?: unknown) =>
  api.call('POST', '/v1/checks/api', {
    body: { name, request, ...(parentCheckIds !== undefined && { parentCheckIds }) },
  })
const given = async (name: string, parents: string[] = []) => String((await create(name, parents)).body['id'])
const put = (id: string, parentCheckIds: unknown) =>
  api.call('PUT', `/v1/checks/api/${id}`, { body: { parentCheckIds } })
const parentsOf = async (id: string) => (await api.call('GET', `/v1/checks/${id}`)).body['parentCheckIds']

describe('the parents of a check', () => {
  it.each(checkTypes)('are a field of every type, $type too', async ({ type, path, example }) => {
    const parent = await given('Gateway')
    const { status, body } = await api.call('POST', `/v1/checks/${path}`, {
      body: { ...example, name: type, parentCheckIds: [parent] },
    })
    expect([status, body['parentCheckIds']]).toEqual([201, [parent]])
  })

  it('are none at first, are read as they were sent, and stay when they are not sent', async () => {
    const id = await given('Shop')
    expect(await parentsOf(id)).toEqual([])
    const [a, b] = [await given('Gateway'), await given('Database')]
    const sent = [a, b].toSorted().toReversed()
    expect(
      (
        await put(
          id,
          sent.map((one) => one.toUpperCase()),
        )
      ).body['parentCheckIds'],
    ).toEqual(sent)
    await api.call('PUT', `/v1/checks/api/${id}`, { body: { name: 'Shop again' } })
    expect(await parentsOf(id)).toEqual(sent)
    const listed = JSON.parse((await api.call('GET', `/v1/checks?search=${id}`)).text) as object[]
    expect(listed).toMatchObject([{ id, parentCheckIds: sent }])
    await put(id, [])
    expect(await parentsOf(id)).toEqual([])
  })

  it('can be sent back as they were answered, and change no revision', async () => {
    const id = await given('Shop', [await given('Gateway')])
    const { body } = await api.call('GET', `/v1/checks/${id}`)
    expect((await api.call('PUT', `/v1/checks/api/${id}`, { body })).status).toBe(200)
    await put(id, [await given('Database')])
    const { rows } = await database.db.pool.query('SELECT revision FROM checks WHERE id = $1', [id])
    expect(rows).toEqual([{ revision: 1 }])
  })

  it('must be checks of the account, each once', async () => {
    const stranger = await givenApi(database.db)
    const theirs = await stranger.call('POST', '/v1/checks/api', { body: { name: 'Theirs', request } })
    const gone = await given('Gone')
    await api.call('DELETE', `/v1/checks/${gone}`)
    const shop = await given('Shop')
    for (const id of [String(theirs.body['id']), gone, randomUUID()]) {
      const { status, body } = await put(shop, [id])
      expect(status).toBe(400)
      expect(body).toMatchObject({ validation: { keys: ['parentCheckIds.0'] } })
      expect(String(body['message'])).toContain(`names no check of this account, got "${id}"`)
      expect((await create('Other', [id])).status).toBe(400)
    }
    const gateway = await given('Gateway')
    const twice = await put(shop, [gateway, gateway.toUpperCase()])
    expect([twice.status, String(twice.body['message'])]).toEqual([400, expect.stringContaining('a second time')])
    await stranger.app.close()
  })

  it.each([
    ['no list', 'gateway'],
    ['no ids', ['gateway']],
    ['too many', Array.from({ length: 21 }, () => randomUUID())],
  ])('are refused as %s', async (_what, sent) => {
    const { status, body } = await create('Shop', sent)
    expect(status).toBe(400)
    expect(JSON.stringify(body['validation'])).toContain('parentCheckIds')
  })
})

describe('a circle', () => {
  it('of a check with itself is refused', async () => {
    const id = await given('Shop')
    const { status, body } = await put(id, [id])
    expect([status, body['message']]).toEqual([
      400,
      expect.stringContaining('"parentCheckIds" must not make a circle: "Shop" depends on "Shop"'),
    ])
    expect(body).toMatchObject({ validation: { keys: ['parentCheckIds'] } })
  })

  it('over others is refused with the names on the way, and nothing is stored of it', async () => {
    const gateway = await given('Gateway')
    const database = await given('Database', [gateway])
    const shop = await given('Shop', [await given('Mail'), database])
    const { status, body } = await put(gateway, [await given('Power'), shop])
    expect(status).toBe(400)
    expect(body['message']).toContain('"Gateway" depends on "Shop" depends on "Database" depends on "Gateway"')
    expect(await parentsOf(gateway)).toEqual([])
  })

  it('is no diamond', async () => {
    const gateway = await given('Gateway')
    const [a, b] = [await given('A', [gateway]), await given('B', [gateway])]
    const shop = await given('Shop', [a, b, gateway])
    expect(await parentsOf(shop)).toEqual([a, b, gateway])
  })

  it('is refused as well when two make it at once', async () => {
    const [a, b] = [await given('A'), await given('B')]
    const answers = await Promise.all([put(a, [b]), put(b, [a])])
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]))
  })
})

describe('a parent that is deleted', () => {
  it('is dropped from its children at once, and does not come back to them', async () => {
    const [gateway, mail] = [await given('Gateway'), await given('Mail')]
    const shop = await given('Shop', [gateway, mail])
    await api.call('DELETE', `/v1/checks/${gateway}`)
    expect(await parentsOf(shop)).toEqual([mail])
    await api.call('POST', `/v1/checks/${gateway}/restore`)
    expect(await parentsOf(shop)).toEqual([mail])
    expect((await put(gateway, [shop])).status).toBe(200)
  })

  it('is dropped when many are deleted at once, and keeps its own parents for when it comes back', async () => {
    const power = await given('Power')
    const gateway = await given('Gateway', [power])
    const shop = await given('Shop', [gateway])
    await api.call('POST', '/v1/checks/bulk', { body: { ids: [gateway], change: { delete: true } } })
    expect(await parentsOf(shop)).toEqual([])
    await api.call('POST', `/v1/checks/${gateway}/restore`)
    expect(await parentsOf(gateway)).toEqual([power])
  })

  it('is none for a check that names it while it is deleted', async () => {
    const [gateway, shop] = [await given('Gateway'), await given('Shop')]
    const [deleted, changed] = await Promise.all([api.call('DELETE', `/v1/checks/${gateway}`), put(shop, [gateway])])
    expect(deleted.status).toBe(204)
    expect([200, 400]).toContain(changed.status)
    expect(await parentsOf(shop)).toEqual([])
  })
})
