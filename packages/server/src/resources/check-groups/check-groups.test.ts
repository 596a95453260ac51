import { defaultAlertSettings } from '@vedette/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const create = (body: object, { version = 2, by = api, query = '' } = {}) =>
  by.call('POST', `/v${version}/check-groups${query}`, { body })
const givenGroup = async (body: object = {}, by = api) =>
  Number((await create({ name: 'Shop', ...body }, { by })).body.id)

const webhook = {
  type: 'WEBHOOK',
  config: { name: 'Ops', url: 'https://ops.example.com/hook', method: 'POST' },
}
const givenChannel = async (by = api) =>
  Number((await by.call('POST', '/v1/alert-channels', { body: webhook })).body.id)

describe('a check group', () => {
  it('needs only a name; the other fields have the defaults of its version', async () => {
    const made = await create({ name: ' Shop ' })
    expect(made.status).toBe(201)
    expect(made.headers['etag']).toBe('"1"')
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'Shop',
      activated: true,
      muted: false,
      tags: [],
      locations: [],
      privateLocations: null,
      concurrency: 3,
      apiCheckDefaults: { url: '', headers: [], queryParameters: [], assertions: [], basicAuth: null },
      browserCheckDefaults: '',
      environmentVariables: null,
      useGlobalAlertSettings: null,
      alertSettings: null,
      alertChannelSubscriptions: [],
      setupSnippetId: null,
      tearDownSnippetId: null,
      localSetupScript: null,
      localTearDownScript: null,
      runtimeId: null,
      doubleCheck: false,
      runParallel: null,
      retryStrategy: 'FALLBACK',
      created_at: expect.any(String),
      updated_at: null,
    })
    const older = await create({ name: 'Old' }, { version: 1 })
    expect(older.body).toMatchObject({ doubleCheck: true, useGlobalAlertSettings: true, runParallel: false })
    expect((await api.call('GET', `/v1/check-groups/${String(made.body.id)}`)).body).toEqual(made.body)
  })

  it.each([1, 2])('keeps what a PUT of version %d does not send', async (version) => {
    const id = await givenGroup({ tags: ['shop'], concurrency: 5, retryStrategy: { type: 'LINEAR' } })
    const body = { name: 'Shop 2', muted: true }
    const changed = await api.call('PUT', `/v${version}/check-groups/${id}`, { body })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ ...body, tags: ['shop'], concurrency: 5, retryStrategy: { type: 'LINEAR' } })
    expect(changed.headers['etag']).toBe('"2"')
  })

  it('takes back what it answered, and refuses a writer that has seen an older version', async () => {
    const made = await create({ name: 'Shop', alertSettings: {}, environmentVariables: [{ key: 'A', value: 'b' }] })
    const url = `/v2/check-groups/${String(made.body.id)}`
    const again = await api.call('PUT', url, { body: made.body, headers: { 'if-match': '"1"' } })
    expect([again.status, again.body]).toEqual([200, { ...made.body, updated_at: expect.any(String) }])
    const late = await api.call('PUT', url, { body: { name: 'x' }, headers: { 'if-match': '"1"' } })
    expect(late.status).toBe(412)
  })

  it.each([
    [{}, '"name" is required'],
    [{ name: '' }, '"name" must not be empty'],
    [{ name: 'x', concurrency: 0 }, '"concurrency" must be at least 1, got 0'],
    [{ name: 'x', nope: 1 }, '"nope" is not a known field'],
    [{ name: 'x', locations: ['mars-1'] }, '"locations.0" must be one of'],
    [{ name: 'x', privateLocations: ['cellar'] }, '"privateLocations.0" names no private location of this account'],
    [{ name: 'x', setupSnippetId: 7 }, '"setupSnippetId" names no snippet of this account, got 7'],
    [{ name: 'x', retryStrategy: 'NONE' }, '"retryStrategy"'],
    [
      { name: 'x', alertChannelSubscriptions: [{ alertChannelId: 2_000_000_000, activated: true }] },
      '"alertChannelSubscriptions.0.alertChannelId" names no alert channel',
    ],
    [
      { name: 'x', apiCheckDefaults: { headers: [{ key: 'a b', value: '' }] } },
      '"apiCheckDefaults.headers.0.key" must be a header name',
    ],
    [
      { name: 'x', apiCheckDefaults: { assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: 'ok' }] } },
      '"apiCheckDefaults.assertions.0.target" must be a number',
    ],
    [
      { name: 'x', environmentVariables: [{ key: '1', value: 'x' }] },
      '"environmentVariables.0.key" must be letters, digits and underscores',
    ],
    [
      { name: 'x', environmentVariables: [{ key: 'A', value: '******', secret: true }] },
      '"environmentVariables.0.value" is a mask; send the value itself',
    ],
  ])('%j is refused', async (body, message) => {
    const { status, body: error } = await create(body)
    expect(status).toBe(400)
    expect(error.message).toContain(message)
  })

  it('never answers its secrets, and keeps those whose mask is sent back', async () => {
    const made = await create({
      name: 'Shop',
      apiCheckDefaults: { basicAuth: { username: 'joe', password: 'hunter2' } },
      environmentVariables: [
        { key: 'TOKEN', value: 'hush-hush', secret: true },
        { key: 'PLACE', value: 'here' },
      ],
    })
    expect(made.text).not.toMatch(/hunter2|hush-hush/)
    const changed = await api.call('PUT', `/v2/check-groups/${String(made.body.id)}`, {
      body: { ...made.body, name: 'Other' },
    })
    expect(changed.status).toBe(200)
    const { rows } = await database.db.pool.query<{ text: string; secrets: Record<string, string> }>(
      `SELECT g::text || (SELECT string_agg(a::text, '') FROM audit_log a WHERE a.account_id = g.account_id) AS text, g.secrets
       FROM check_groups g WHERE id = $1`,
      [made.body.id],
    )
    expect(rows[0]?.text).not.toMatch(/hunter2|hush-hush/)
    expect(Object.keys(rows[0]?.secrets ?? {}).toSorted()).toEqual([
      'apiCheckDefaults.basicAuth.password',
      'environmentVariables.0.value',
    ])
  })

  it('is listed by page, tag and name', async () => {
    const own = await givenApi(database.db)
    for (const [name, tags] of [
      ['A', ['x']],
      ['B', ['y', 'x']],
      ['C', []],
    ] as const)
      await givenGroup({ name, tags }, own)
    const names = async (query: string) =>
      (await own.call('GET', `/v1/check-groups?${query}`)).list.map(({ name }) => name)
    expect(await names('')).toEqual(['A', 'B', 'C'])
    expect(await names('tag=x')).toEqual(['A', 'B'])
    expect(await names('tag=y,z')).toEqual(['B'])
    expect(await names('name=C&name=A')).toEqual(['A', 'C'])
    const second = await own.call('GET', '/v1/check-groups?limit=2&page=2')
    expect([second.list.map(({ name }) => name), second.headers['content-range']]).toEqual([['C'], '2-2/3'])
    expect(await names('limit=1')).toEqual(['A'])
    expect((await api.call('GET', '/v1/check-groups?limit=100')).list.map(({ name }) => name)).not.toContain('B')
    await own.app.close()
  })

  it('is subscribed to every channel unless the caller says otherwise', async () => {
    const own = await givenApi(database.db)
    const channel = await givenChannel(own)
    const subscribed = async (query: string) =>
      (await create({ name: 'x' }, { by: own, query })).body.alertChannelSubscriptions
    expect(await subscribed('')).toEqual([{ alertChannelId: channel, activated: true }])
    expect(await subscribed('?autoAssignAlerts=false')).toEqual([])
    const group = await givenGroup({ alertChannelSubscriptions: [] }, own)
    const put = await own.call('PUT', `/v1/alert-channels/${channel}/subscriptions`, {
      body: { groupId: group, activated: false },
    })
    expect(put.body).toMatchObject({ groupId: group, checkId: null, activated: false })
    const { body } = await own.call('GET', `/v1/check-groups/${group}`)
    expect(body.alertChannelSubscriptions).toEqual([{ alertChannelId: channel, activated: false }])
    await own.app.close()
  })

  it('belongs to its account', async () => {
    const stranger = await givenApi(database.db)
    const id = await givenGroup()
    for (const method of ['GET', 'DELETE'] as const)
      expect((await stranger.call(method, `/v1/check-groups/${id}`)).status).toBe(404)
    const body = { name: 'x', groupId: id, request: { url: 'https://x.example' } }
    const refused = await stranger.call('POST', '/v1/checks/api', { body })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `"groupId" names no check group of this account, got ${id}`,
    ])
    await stranger.app.close()
  })

  it('has private locations by their slugs', async () => {
    await givenPrivateLocation(database.db, api.accountId, 'office')
    const id = await givenGroup({ privateLocations: ['office'] })
    const { body } = await api.call('GET', `/v1/check-groups/${id}`)
    expect(body.privateLocations).toEqual(['office'])
    const made = await api.call('POST', '/v1/checks/api', {
      body: { name: 'x', groupId: id, locations: ['eu-west-1'], request: { url: 'https://x.example' } },
    })
    const shown = await api.call('GET', `/v1/checks/${String(made.body.id)}?applyGroupSettings=true`)
    expect(shown.body).toMatchObject({ locations: [], privateLocations: ['office'] })
  })

  it('is deleted only when it has no checks', async () => {
    const id = await givenGroup()
    const body = { name: 'x', groupId: id, request: { url: 'https://x.example' } }
    const check = String((await api.call('POST', '/v1/checks/api', { body })).body.id)
    const refused = await api.call('DELETE', `/v1/check-groups/${id}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The group "Shop" still has 1 check: move or delete it first.',
    ])
    await api.call('DELETE', `/v1/checks/${check}`)
    expect((await api.call('DELETE', `/v1/check-groups/${id}`)).status).toBe(204)
    const restored = await api.call('POST', `/v1/checks/${check}/restore`, { body: {} })
    expect([restored.status, restored.body.groupId]).toEqual([200, null])
  })
})

describe('alert settings of a group', () => {
  it('are complete, and null leaves those of its checks', async () => {
    const id = await givenGroup({ alertSettings: { reminders: { amount: 2 } } })
    const { body } = await api.call('GET', `/v1/check-groups/${id}`)
    expect(body.alertSettings).toEqual({ ...defaultAlertSettings, reminders: { amount: 2, interval: 5 } })
  })
})
