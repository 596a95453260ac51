import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
const shop = { name: 'Shop', request: { method: 'GET', url: 'https://shop.example' } }
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const create = (body: object, by = api) => by.call('POST', '/v1/private-locations', { body })
const pathOf = ({ body }: { body: Record<string, unknown> }) => `/v1/private-locations/${String(body['id'])}`
const slugs = async (by = api) => (await by.call('GET', '/v1/private-locations')).list.map(({ slugName }) => slugName)

describe('private locations', () => {
  test('one is created with a key that is shown once, read, changed and deleted', async () => {
    const made = await create({ name: ' Office ', slugName: 'Office-1' })
    expect(made.status).toBe(201)
    const rawKey = (made.body['keys'] as { rawKey: string }[])[0]?.rawKey ?? ''
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Office',
      slugName: 'Office-1',
      icon: 'location',
      proxyUrl: null,
      keys: [
        {
          id: expect.any(String),
          rawKey: expect.stringMatching(/^vdl_/),
          maskedKey: `***${rawKey.slice(-4)}`,
          created_at: expect.any(String),
          updated_at: null,
        },
      ],
      created_at: expect.any(String),
      updated_at: null,
    })
    const read = await api.call('GET', pathOf(made), { key: api.keys.read })
    expect(read.body).toMatchObject({ name: 'Office', lastSeen: null, agentCount: 0 })
    expect(read.text).not.toContain(rawKey)
    const changed = await api.call('PUT', pathOf(made), { body: { name: 'Head office', icon: 'building' } })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Head office', slugName: 'Office-1', icon: 'building' },
    })
    expect((await api.call('PUT', pathOf(made), { body: { name: 'HQ' } })).body['icon']).toBe('building')
    expect((await api.call('DELETE', pathOf(made))).status).toBe(204)
    for (const method of ['GET', 'DELETE'] as const) expect((await api.call(method, pathOf(made))).status).toBe(404)
    const { rows } = await database.db.pool.query<{ row: string }>(
      'SELECT a::text AS row FROM audit_log a WHERE account_id = $1',
      [api.accountId],
    )
    expect(rows.map(({ row }) => row).join(' ')).not.toContain(rawKey)
  })

  test('the slug is made from the name where none is sent', async () => {
    expect((await create({ name: 'Büro Köln, 2. Stock' })).body['slugName']).toBe('buro-koln-2-stock')
    const needed = await create({ name: '東京' })
    expect(needed).toMatchObject({
      status: 400,
      body: { message: '"slugName" is required, because the name gives none' },
    })
    expect((await create({ name: 'eu-west-1' })).status).toBe(400)
  })

  test('a slug is taken in its account only, and free again once its location is deleted', async () => {
    const first = await create({ name: 'A', slugName: 'shared' })
    const again = await create({ name: 'B', slugName: 'shared' })
    expect([again.status, again.body['message']]).toEqual([
      409,
      'A private location with the slug "shared" exists already.',
    ])
    expect((await create({ name: 'A', slugName: 'shared' }, await givenApi(database.db))).status).toBe(201)
    await api.call('DELETE', pathOf(first))
    expect((await create({ name: 'C', slugName: 'shared' })).status).toBe(201)
    const back = await api.call('POST', `${pathOf(first)}/restore`)
    expect([back.status, back.body['message']]).toEqual([409, again.body['message']])
  })

  test('one that was deleted comes back with its keys, for a day', async () => {
    const made = await create({ name: 'Back', slugName: 'back' })
    const restore = () => api.call('POST', `${pathOf(made)}/restore`, { body: {} })
    expect((await restore()).status).toBe(404)
    await api.call('DELETE', pathOf(made))
    const [{ rawKey: _, ...key }] = made.body['keys'] as [Record<string, unknown>]
    expect(await restore()).toMatchObject({ status: 200, body: { slugName: 'back', keys: [key] } })
    expect(await slugs()).toContain('back')
    await api.call('DELETE', pathOf(made))
    await database.db.pool.query(
      `UPDATE private_locations SET deleted_at = now() - interval '25 hours' WHERE slug = 'back'`,
    )
    expect((await restore()).status).toBe(404)
  })

  test.each([
    [{ slugName: 'x' }, '"name" is required'],
    [{ name: '  ' }, '"name" must not be empty'],
    [{ name: 'x'.repeat(101) }, '"name" must be at most 100 characters long, got 101'],
    [{ name: 'x', slugName: '' }, '"slugName" must be 1 to 30 letters, digits or hyphens, got ""'],
    [{ name: 'x', slugName: 'a_b' }, '"slugName" must be 1 to 30 letters, digits or hyphens, got "a_b"'],
    [{ name: 'x', slugName: 'x'.repeat(31) }, '"slugName" must be 1 to 30 letters, digits or hyphens'],
    [
      { name: 'x', slugName: 'us-gov-east-1' },
      '"slugName" must not look like the code of a region, got "us-gov-east-1"',
    ],
    [{ name: 'x', slugName: 'eu-west-9-lab' }, '"slugName" must not look like the code of a region'],
    [{ name: 'x', slugName: 'ok', icon: 'A B' }, '"icon" must be 1 to 50 lower-case letters, digits or hyphens'],
    [{ name: 'x', slugName: 'ok', keys: [] }, '"keys" is not a known field'],
  ])('%j is refused', async (body, message) => {
    const { status, body: error } = await create(body)
    expect([status, String(error['message']).slice(0, message.length)]).toEqual([400, message])
  })

  test('the slug cannot be changed', async () => {
    const made = await create({ name: 'Fixed', slugName: 'fixed' })
    const { status, body } = await api.call('PUT', pathOf(made), { body: { name: 'x', slugName: 'other' } })
    expect([status, String(body['message'])]).toEqual([400, expect.stringContaining('"slugName"')])
  })

  test('If-Match guards against overwriting', async () => {
    const made = await create({ name: 'Race', slugName: 'race' })
    const sent = { body: { name: 'One' }, headers: { 'if-match': String(made.headers['etag']) } }
    expect((await api.call('PUT', pathOf(made), sent)).status).toBe(200)
    expect((await api.call('PUT', pathOf(made), sent)).status).toBe(412)
  })

  test('while checks use one it is not deleted, and they are named', async () => {
    const made = await create({ name: 'Used', slugName: 'used' })
    const check = async (name: string, more: object = {}) =>
      (await api.call('POST', '/v1/checks/api', { body: { ...shop, name, privateLocations: ['used'], ...more } })).body
    const [first] = [await check('Shop front'), await check('Asleep', { activated: false })]
    const { list: uses } = await api.call('GET', `${pathOf(made)}/uses`, { key: api.keys.read })
    expect(uses).toEqual([
      { kind: 'check', id: expect.any(String), name: 'Asleep' },
      { kind: 'check', id: first['id'], name: 'Shop front' },
    ])
    const refused = await api.call('DELETE', pathOf(made))
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'It is in use: check "Asleep", check "Shop front". Take it out of them first.',
    ])
    await database.db.pool.query('UPDATE checks SET deleted_at = now() WHERE account_id = $1 AND name = $2', [
      api.accountId,
      'Asleep',
    ])
    await api.call('PUT', `/v1/checks/api/${String(first['id'])}`, { body: { privateLocations: [] } })
    expect((await api.call('DELETE', pathOf(made))).status).toBe(204)
  })

  test('the list has all of them, or pages where a limit is sent', async () => {
    const own = await givenApi(database.db)
    const wanted = Array.from({ length: 12 }, (_, at) => `place-${at}`)
    for (const slugName of wanted) await create({ name: slugName, slugName }, own)
    const all = await own.call('GET', '/v1/private-locations')
    expect([all.list.map(({ slugName }) => slugName), all.headers['content-range']]).toEqual([wanted, '0-11/12'])
    const second = await own.call('GET', '/v1/private-locations?limit=5&page=2')
    expect([second.list.map(({ slugName }) => slugName), second.headers['content-range']]).toEqual([
      wanted.slice(5, 10),
      '5-9/12',
    ])
  })

  test('other accounts have no part in them', async () => {
    const stranger = await givenApi(database.db)
    const made = await create({ name: 'Mine', slugName: 'mine' })
    const [{ id: keyId }] = made.body['keys'] as [{ id: string }]
    const path = pathOf(made)
    const attempts = [
      stranger.call('GET', path),
      stranger.call('GET', `${path}/uses`),
      stranger.call('PUT', path, { body: { name: 'Theirs' } }),
      stranger.call('DELETE', path),
      stranger.call('POST', `${path}/keys`),
      stranger.call('DELETE', `${path}/keys/${keyId}`),
      stranger.call('GET', `${path}/metrics?from=0&to=1`),
      stranger.call('POST', `${path}/restore`),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 404))
    expect(await slugs(stranger)).toEqual([])
    expect((await api.call('GET', path)).body).toMatchObject({ name: 'Mine', keys: [{ id: keyId }] })
  })
})

describe('keys of a private location', () => {
  test('are two at most, and one that is deleted makes room', async () => {
    const made = await create({ name: 'Keys', slugName: 'keys' })
    const path = `${pathOf(made)}/keys`
    const second = await api.call('POST', path)
    expect(second).toMatchObject({ status: 201, body: { rawKey: expect.stringMatching(/^vdl_/), updated_at: null } })
    const [first] = made.body['keys'] as [{ id: string; maskedKey: string }]
    const third = await api.call('POST', path)
    expect([third.status, third.body['message']]).toEqual([
      409,
      `There are 2 keys already (${first.maskedKey}, ${String(second.body['maskedKey'])}); delete one first.`,
    ])
    expect((await api.call('DELETE', `${path}/${first.id}`)).status).toBe(204)
    expect((await api.call('DELETE', `${path}/${first.id}`)).status).toBe(404)
    expect((await api.call('POST', path)).status).toBe(201)
    const { body, text } = await api.call('GET', pathOf(made))
    expect((body['keys'] as object[]).length).toBe(2)
    expect(text).not.toContain('rawKey')
  })

  test('of another location are not there', async () => {
    const [one, two] = [await create({ name: 'One', slugName: 'one' }), await create({ name: 'Two', slugName: 'two' })]
    const [{ id }] = one.body['keys'] as [{ id: string }]
    expect((await api.call('DELETE', `${pathOf(two)}/keys/${id}`)).status).toBe(404)
    expect((await api.call('POST', `/v1/private-locations/${randomUUID()}/keys`)).status).toBe(404)
  })

  test('are stored as a hash only', async () => {
    const made = await create({ name: 'Hashed', slugName: 'hashed' })
    const [{ id, rawKey }] = made.body['keys'] as [{ id: string; rawKey: string }]
    const { rows } = await database.db.pool.query<{ row: string }>(
      'SELECT k::text AS row FROM agent_keys k WHERE id = $1',
      [id],
    )
    expect(rows[0]?.row).toContain(id)
    expect(rows[0]?.row).not.toContain(rawKey)
  })

  test('are of no use for the management API', async () => {
    const made = await create({ name: 'Agents only', slugName: 'agents-only' })
    const [{ rawKey }] = made.body['keys'] as [{ rawKey: string }]
    expect((await api.call('GET', '/v1/private-locations', { key: rawKey })).status).toBe(401)
  })
})

describe('the proxy of a private location', () => {
  const address = 'http://ann:open%20sesame@proxy.example:3128'
  const shown = 'http://******@proxy.example:3128'

  test('never comes back with its user and password, and is stored sealed', async () => {
    const made = await create({ name: 'Proxied', slugName: 'proxied', proxyUrl: address })
    expect(made).toMatchObject({ status: 201, body: { proxyUrl: shown } })
    expect((await api.call('GET', pathOf(made))).body['proxyUrl']).toBe(shown)
    const { rows } = await database.db.pool.query<{ row: string }>(
      `SELECT p::text || coalesce((SELECT string_agg(a::text, ' ') FROM audit_log a), '') AS row
       FROM private_locations p WHERE slug = 'proxied'`,
    )
    expect(rows[0]?.row).not.toMatch(/sesame|ann:/)
  })

  test('stays when it is not sent or sent back as it was shown, and null removes it', async () => {
    const made = await create({ name: 'Stays', slugName: 'stays', proxyUrl: address })
    const put = async (more: object) => (await api.call('PUT', pathOf(made), { body: { name: 'Stays', ...more } })).body
    const sealed = async () => {
      const { rows } = await database.db.pool.query<{ proxy: string }>(
        `SELECT secrets->>'proxyUrl' AS proxy FROM private_locations WHERE slug = 'stays'`,
      )
      return api.deps.vault.open(rows[0]?.proxy ?? '', {
        account: api.accountId,
        table: 'private_locations',
        row: String(made.body['id']),
        field: 'proxyUrl',
      })
    }
    expect((await put({}))['proxyUrl']).toBe(shown)
    expect((await put({ proxyUrl: shown }))['proxyUrl']).toBe(shown)
    expect(await sealed()).toBe(address)
    expect((await put({ proxyUrl: 'http://******@other.example' }))['message']).toBe(
      '"proxyUrl" has ****** in place of user and password; send both with a changed address',
    )
    expect((await put({ proxyUrl: null }))['proxyUrl']).toBeNull()
  })

  test.each(['proxy.example:3128', 'ftp://proxy.example', 'http://proxy.example/path', 'http://', ''])(
    '%j is no address of one',
    async (proxyUrl) => {
      const { status, body } = await create({ name: 'x', slugName: 'x', proxyUrl })
      expect([status, body['message']]).toEqual([
        400,
        '"proxyUrl" must be the http:// or https:// address of a proxy, without path and query',
      ])
    },
  )

  test('may be given by variables', async () => {
    const made = await create({ name: 'By name', slugName: 'by-name', proxyUrl: '{{PROXY}}' })
    expect(made.body['proxyUrl']).toBe('{{PROXY}}')
    const parts = 'http://{{USER}}:{{PASSWORD}}@{{HOST}}:3128'
    expect((await api.call('PUT', pathOf(made), { body: { name: 'x', proxyUrl: parts } })).body['proxyUrl']).toBe(
      'http://******@{{HOST}}:3128',
    )
  })
})
