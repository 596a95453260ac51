import { beforeAll, describe, expect, test } from 'vitest'
import { useEmptiedDatabase } from '../test-support/database.ts'
import { givenApi, type TestApi } from '../test-support/api.ts'

// The account of the caller operates the installation: it is the only one.
const database = useEmptiedDatabase()
let api: TestApi

interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With an id where the path has a parameter. */
  url: string
  hasBody: boolean
  query: string[]
}
interface Parameter {
  in: string
  name: string
  schema: { type?: string }
}
let operations: Operation[] = []

beforeAll(async () => {
  api = await givenApi(database.db)
  const body = { name: 'Shop', request: { url: 'https://shop.example' } }
  const { id } = (await api.call('POST', '/v1/checks/api', { body })).body
  const { paths } = (await api.app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { requestBody?: unknown; parameters?: Parameter[] }>>
  }>()
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as Operation['method'],
      url: withIds(path, operation.parameters ?? [], String(id)),
      hasBody: operation.requestBody !== undefined,
      query: (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
    })),
  )
})

/** A path with its parameters filled in: integers where the resource has a numeric id. */
const withIds = (path: string, parameters: readonly Parameter[], id: string): string =>
  parameters.reduce(
    (url, { name: parameter, schema }) => url.replace(`{${parameter}}`, schema.type === 'integer' ? '1' : id),
    path,
  )

const name = ({ method, url }: Operation) => `${method} ${url}`

async function send({ method, url }: Operation, payload: string, type = 'application/json') {
  const headers = { authorization: `Bearer ${api.keys.admin}`, 'content-type': type }
  return api.app.inject({ method, url, headers, payload })
}

describe('every route with a body', () => {
  const bad: [string, string, number, string?][] = [
    ['text that is no JSON', '{"name":', 400],
    ['a list', '[]', 400],
    ['a word', '"name"', 400],
    ['an unknown field', '{"surprise":1}', 400],
    ['three megabytes', JSON.stringify({ name: 'x'.repeat(3_000_000) }), 413],
    ['a form', 'name=x', 415, 'application/x-www-form-urlencoded'],
    ['plain text', 'name', 415, 'text/plain'],
  ]
  test.each(bad)('refuses %s', async (_name, payload, status, type) => {
    const withBody = operations.filter(({ hasBody }) => hasBody)
    expect(withBody.length).toBeGreaterThan(6)
    for (const operation of withBody) {
      const response = await send(operation, payload, type)
      expect(response.statusCode, name(operation)).toBe(status)
      expect(response.json(), name(operation)).toMatchObject({ statusCode: status, message: expect.any(String) })
    }
  })

  test('refuses nothing, unless it can do without', async () => {
    const canDoWithout = /\/(test|restore|acknowledge|cancel)$|\/triggers\//
    for (const operation of operations.filter(({ hasBody, url }) => hasBody && !canDoWithout.test(url))) {
      expect((await send(operation, '')).statusCode, name(operation)).toBe(400)
    }
  })

  test('names the unknown field', async () => {
    for (const operation of operations.filter(({ hasBody }) => hasBody)) {
      // A check without its type is not read any further.
      const type = operation.url === '/v1/checks' ? { checkType: 'API' } : {}
      const sent = JSON.stringify({ ...type, surprise: 1 })
      const { validation } = (await send(operation, sent)).json<{ validation: { keys: string[] } }>()
      expect(validation.keys, name(operation)).toContain('surprise')
    }
  })
})

describe('every list', () => {
  test.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=many', 'page=0', 'page=-1', 'surprise=1'])(
    'refuses ?%s',
    async (search) => {
      const parameter = search.split('=')[0] ?? ''
      const lists = operations.filter(({ query }) => query.includes(parameter === 'surprise' ? 'limit' : parameter))
      expect(lists.length).toBeGreaterThan(2)
      for (const list of lists) {
        const answer = await api.call(list.method, `${list.url}?${search}`)
        expect(answer.status, name(list)).toBe(400)
        expect(answer.body.validation, name(list)).toMatchObject({ source: 'query', keys: [parameter] })
        expect(String(answer.body.message)).toContain(`"${parameter}"`)
      }
    },
  )

  test('refuses dates upside down', async () => {
    const ranges = operations.filter(({ query }) => query.includes('from') && query.includes('to'))
    expect(ranges.length).toBeGreaterThan(1)
    for (const range of ranges) {
      const answer = await api.call(range.method, `${range.url}?from=1700000060&to=1700000000`)
      expect(answer.status, name(range)).toBe(400)
      expect(String(answer.body.message)).toMatch(/"(from|to)"/)
    }
  })
})

test('every write leaves a line in the audit log, with who and by which request', async () => {
  const own = await givenApi(database.db)
  const body = { name: 'Shop', request: { url: 'https://shop.example' } }
  const check = String((await own.call('POST', '/v1/checks/api', { body })).body.id)
  await own.call('PUT', `/v1/checks/api/${check}`, { body: { name: 'x' }, headers: { 'x-request-id': 'the-request' } })
  await own.call('DELETE', `/v1/checks/${check}`)
  await own.call('POST', '/v1/variables', { body: { key: 'A', value: 'a' } })
  await own.call('PUT', '/v1/variables/A', { body: { value: 'b' } })
  await own.call('DELETE', '/v1/variables/A')
  await own.call('PATCH', '/v1/accounts/me', { body: { name: 'x' } })
  const key = String((await own.call('POST', '/v1/api-keys', { body: { name: 'x', role: 'read' } })).body.id)
  await own.call('DELETE', `/v1/api-keys/${key}`)
  await own.call('PUT', '/v1/variables/A', { body: { value: 'refused, so not there' } })
  const { rows } = await database.db.pool.query<Record<string, string>>(
    'SELECT action, resource, resource_id, actor, request_id FROM audit_log WHERE account_id = $1 ORDER BY id',
    [own.accountId],
  )
  expect(rows.map(({ action, resource, resource_id: id }) => `${action} ${resource} ${id}`)).toEqual([
    `create checks ${check}`,
    `update checks ${check}`,
    `delete checks ${check}`,
    'create variables A',
    'update variables A',
    'delete variables A',
    `update accounts ${own.accountId}`,
    `create api-keys ${key}`,
    `revoke api-keys ${key}`,
  ])
  expect(rows[1]?.request_id).toBe('the-request')
  expect(new Set(rows.map(({ actor }) => actor)).size).toBe(1)
})

test('the audit log shows what a write changed, and no secret', async () => {
  const own = await givenApi(database.db)
  const basicAuth = { username: 'me', password: 'hunter2-of-the-check' }
  const body = { name: 'Shop', request: { url: 'https://shop.example', basicAuth } }
  const check = String((await own.call('POST', '/v1/checks/api', { body })).body.id)
  await own.call('PUT', `/v1/checks/api/${check}`, { body: { name: 'Shop front' } })
  await own.call('DELETE', `/v1/checks/${check}`)
  await own.call('POST', '/v1/variables', { body: { key: 'TOKEN', value: 'hunter2-of-the-variable', locked: true } })
  const webhook = { name: 'Hook', url: 'https://hook.example', webhookSecret: 'hunter2-of-the-channel' }
  await own.call('POST', '/v1/alert-channels', { body: { type: 'WEBHOOK', config: webhook } })
  const { rows } = await database.db.pool.query<Record<'before' | 'after', Record<string, unknown> | null>>(
    'SELECT before, after FROM audit_log WHERE account_id = $1 ORDER BY id',
    [own.accountId],
  )
  expect(rows.map(({ before, after }) => [before?.['name'], after?.['name']])).toEqual([
    [undefined, 'Shop'],
    ['Shop', 'Shop front'],
    ['Shop front', undefined],
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(rows[3]?.after).toEqual({ key: 'TOKEN', value: '******', locked: true, secret: false })
  expect(rows[4]?.after).toMatchObject({ type: 'WEBHOOK', config: { name: 'Hook' } })
  expect(JSON.stringify(rows)).not.toContain('hunter2')
})

test('a write that another part takes no note of is stored and answered all the same', async () => {
  const checkChanged = () => Promise.reject(new Error('the schedule is away'))
  const own = await givenApi(database.db, { hooks: { checkChanged } })
  const made = await own.call('POST', '/v1/checks/api', {
    body: { name: 'Shop', request: { url: 'https://shop.example' } },
  })
  expect(made.status).toBe(201)
  expect((await own.call('GET', `/v1/checks/${String(made.body.id)}`)).status).toBe(200)
})
