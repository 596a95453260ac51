import { checkTypes, hasCommonField } from '@vedette/checks'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { checkBodies, type CheckPath } from '../../../test-support/check-bodies.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const bodies: Record<string, Record<string, unknown>> = Object.fromEntries(
  checkTypes
    .filter(({ path }) => Object.hasOwn(checkBodies, path))
    .map((type) => [
      type.type,
      {
        name: 'Shop',
        ...(hasCommonField(type, 'frequencyOffset') && { frequencyOffset: 1 }),
        ...checkBodies[type.path as CheckPath],
      },
    ]),
)
const types = checkTypes
  .filter(({ type }) => bodies[type] !== undefined)
  .map(({ type, path, awaitsRunner }) => [type, path, awaitsRunner !== true] as const)
const names = checkTypes.map(({ type }) => type).join(', ')

const identity = new Set(['id', 'created_at', 'updated_at', 'requestId'])
/** Ids and tokens of one check are not those of another. */
const withoutIdentity = (body: Record<string, unknown>) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(body).filter(([name]) => !identity.has(name)))).replaceAll(
      /[0-9a-f]{8}-[0-9a-f-]{27}/g,
      'id',
    ),
  ) as Record<string, unknown>
const create = (body: unknown) => api.call('POST', '/v1/checks', { body })

describe.each(types)('a check of type %s', (checkType, path, runs) => {
  test('is created and changed as on the route of its type', async () => {
    const sent = bodies[checkType]
    const byType = await api.call('POST', `/v1/checks/${path}`, { body: sent })
    const created = await create({ checkType, ...sent })
    expect(created.status).toBe(201)
    expect(created.headers['etag']).toBe('"1"')
    expect(withoutIdentity(created.body)).toEqual(withoutIdentity(byType.body))
    expect(api.changes.at(-1)).toMatchObject({ checkId: created.body['id'], change: 'created', runNow: runs })

    const change = { name: 'Renamed', tags: ['a'] }
    const changedByType = await api.call('PUT', `/v1/checks/${path}/${String(byType.body['id'])}`, { body: change })
    const url = `/v1/checks/${String(created.body['id'])}`
    for (const body of [change, { ...change, checkType }]) {
      const changed = await api.call('PUT', url, { body })
      expect(changed.status).toBe(200)
      expect(withoutIdentity(changed.body)).toEqual(withoutIdentity(changedByType.body))
    }
    expect((await api.call('PUT', url, { body: created.body })).status).toBe(200)
    expect((await api.call('GET', url)).body).toMatchObject({ checkType, name: sent?.['name'] })
  })

  test('keeps its type', async () => {
    const { body: check } = await create({ checkType, ...bodies[checkType] })
    const other = checkType === 'API' ? 'TCP' : 'API'
    const { status, body } = await api.call('PUT', `/v1/checks/${String(check['id'])}`, { body: { checkType: other } })
    expect([status, body['message']]).toEqual([
      400,
      `"checkType" cannot be changed: the check is of type ${checkType}, got "${other}"`,
    ])
  })

  test('is changed by the rules of its own type', async () => {
    const { body: check } = await create({ checkType, ...bodies[checkType] })
    const url = `/v1/checks/${String(check['id'])}`
    const [[field, value] = ['', '']] = Object.entries<object | string>(checkBodies[path as CheckPath])
    const wrong = { [field]: typeof value === 'string' ? 5 : { ...value, nothing: 5 } }
    const byType = await api.call('PUT', `/v1/checks/${path}/${String(check['id'])}`, { body: wrong })
    const { status, body } = await api.call('PUT', url, { body: wrong })
    expect(status).toBe(400)
    expect(withoutIdentity(body)['message']).toBe(byType.body['message'])
    const misspelt = await api.call('PUT', url, { body: { nmae: 'x' } })
    expect(misspelt.body['message']).toBe('"nmae" is not a known field')
  })
})

test.each([
  [{}, `"checkType" is required and must be one of ${names}`],
  [{ checkType: 'PING' }, `"checkType" must be one of ${names}, got "PING"`],
  [{ checkType: null }, `"checkType" must be one of ${names}, got null`],
  [{ checkType: 'TCP' }, '"request" is required'],
  [{ checkType: 'API', request: { url: 'https://shop.example' }, port: 1 }, '"port" is not a known field'],
])('creating with %j says what is wrong', async (more, message) => {
  const { status, body } = await create({ name: 'Shop', ...more })
  expect([status, body['message']]).toEqual([400, message])
})

test.each([[[]], [null], [undefined]])('changing with the body %j is a 400', async (sent) => {
  const { body: check } = await create({ checkType: 'API', ...bodies['API'] })
  const { status, body } = await api.call('PUT', `/v1/checks/${String(check['id'])}`, { body: sent })
  expect(status).toBe(400)
  expect(String(body['message'])).toMatch(/payload|JSON/)
})

test('a check that is not there, or of another account, is a 404', async () => {
  const other = await givenApi(database.db)
  const { body: theirs } = await other.call('POST', '/v1/checks', { body: { checkType: 'API', ...bodies['API'] } })
  for (const id of [randomUUID(), String(theirs['id'])])
    expect((await api.call('PUT', `/v1/checks/${id}`, { body: { name: 'x' } })).status).toBe(404)
})

test('secrets are not shown in what is wrong', async () => {
  const basicAuth = { username: 'u', password: 5_551_234 }
  const { text } = await create({ checkType: 'API', name: 'x', request: { url: 'https://shop.example', basicAuth } })
  expect(text).toContain('request.basicAuth.password')
  expect(text).not.toContain('5551234')
})

test('the document has every type in the bodies', () => {
  const { paths } = api.app.swagger() as unknown as { paths: Record<string, Record<string, { requestBody: unknown }>> }
  for (const { type } of checkTypes) {
    const creating = JSON.stringify(paths['/v1/checks']?.['post']?.requestBody)
    const changing = JSON.stringify(paths['/v1/checks/{id}']?.['put']?.requestBody)
    expect(creating).toContain(`"enum":["${type}"]`)
    expect(changing).toContain(`"enum":["${type}"]`)
  }
})

test('an address without a scheme is stored with one', async () => {
  const url = 'localhost:8080/x'
  const made = await create({ checkType: 'API', name: 'x', request: { url } })
  expect(made.body).toMatchObject({ request: { url: 'http://localhost:8080/x' } })
  const changed = await api.call('PUT', `/v1/checks/${String(made.body['id'])}`, {
    body: { request: { url: 'shop.example' } },
  })
  expect(changed.body).toMatchObject({ request: { url: 'https://shop.example' } })
  const refused = await create({ checkType: 'API', name: 'x', request: { url: 'shop' } })
  expect([refused.status, refused.body['message']]).toEqual([
    400,
    expect.stringContaining('"request.url" must be an http or https address, such as https://example.com/health'),
  ])
})
