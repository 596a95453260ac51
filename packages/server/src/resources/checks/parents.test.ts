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
const restore = async (id: string) => expect((await api.call('POST', `/v1/checks/${id}/restore`)).status).toBe(200)
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
  it('is dropped from its children at once, and comes back to them with it', async () => {
    const [gateway, mail] = [await given('Gateway'), await given('Mail')]
    const shop = await given('Shop', [gateway, mail])
    await api.call('DELETE', `/v1/checks/${gateway}`)
    expect(await parentsOf(shop)).toEqual([mail])
    await restore(gateway)
    expect(await parentsOf(shop)).toEqual([gateway, mail])
    expect((await put(gateway, [shop])).status).toBe(400)
  })

  it('does not come back to a child whose parents were sent meanwhile', async () => {
    const [gateway, mail] = [await given('Gateway'), await given('Mail')]
    const shop = await given('Shop', [gateway])
    await api.call('DELETE', `/v1/checks/${gateway}`)
    await put(shop, [mail])
    await restore(gateway)
    expect(await parentsOf(shop)).toEqual([mail])
    expect((await put(gateway, [shop])).status).toBe(200)
  })

  it('does not come back to a child that it depends on by now, and does to the others', async () => {
    const power = await given('Power')
    const gateway = await given('Gateway', [power])
    const [shop, mail] = [await given('Shop', [gateway]), await given('Mail', [gateway])]
    await api.call('DELETE', `/v1/checks/${gateway}`)
    expect((await put(power, [shop])).status).toBe(200)
    await restore(gateway)
    expect(await parentsOf(shop)).toEqual([])
    expect(await parentsOf(mail)).toEqual([gateway])
    expect([await parentsOf(gateway), await parentsOf(power)]).toEqual([[power], [shop]])
  })

  it('closes no circle either when it and the checks between come back together', async () => {
    const power = await given('Power')
    const gateway = await given('Gateway', [power])
    const shop = await given('Shop', [gateway])
    const mail = await given('Mail', [shop])
    const { body } = await api.call('POST', '/v1/checks/bulk', {
      body: { ids: [gateway, shop], change: { delete: true } },
    })
    expect((await put(power, [mail])).status).toBe(200)
    await api.call('POST', '/v1/checks/bulk/undo', { body: { token: body['undoToken'] } })
    const all = [power, gateway, shop, mail]
    const parents = new Map<string, unknown>()
    for (const id of all) parents.set(id, await parentsOf(id))
    expect(parents.get(power)).toEqual([mail])
    const isAbove = (id: string, of: string): boolean =>
      (parents.get(of) as string[]).some((parent) => parent === id || isAbove(id, parent))
    for (const id of all) expect(isAbove(id, id)).toBe(false)
  })

  it('is dropped when many are deleted at once, keeps its own parents, and comes back when that is taken back', async () => {
    const power = await given('Power')
    const gateway = await given('Gateway', [power])
    const shop = await given('Shop', [gateway])
    const { body } = await api.call('POST', '/v1/checks/bulk', { body: { ids: [gateway], change: { delete: true } } })
    expect(await parentsOf(shop)).toEqual([])
    await api.call('POST', '/v1/checks/bulk/undo', { body: { token: body['undoToken'] } })
    expect([await parentsOf(gateway), await parentsOf(shop)]).toEqual([[power], [gateway]])
  })

  it('is none for a check that names it while it is deleted', async () => {
    const [gateway, shop] = [await given('Gateway'), await given('Shop')]
    const [deleted, changed] = await Promise.all([api.call('DELETE', `/v1/checks/${gateway}`), put(shop, [gateway])])
    expect(deleted.status).toBe(204)
    expect([200, 400]).toContain(changed.status)
    expect(await parentsOf(shop)).toEqual([])
  })
})
