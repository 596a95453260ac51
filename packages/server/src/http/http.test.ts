import { systemClock } from '@vedette/wire'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { authenticator } from '../access/authenticator.ts'
import { buildHttp, type App } from './build-http.ts'
import { rateLimited } from './rate-limit.ts'
import { TestClock } from '../../test-support/clock.ts'
import { booleanParam, instantParam, listParam, uuidParam } from './schemas/query.ts'
import { pageQuery } from './schemas/paging.ts'
import { givenKey, givenSession, openTestHttp, testBaseUrl } from '../../test-support/http.ts'

const database = useDatabase()

const body = z.strictObject({
  name: z.string().max(20),
  count: z.int().min(1).max(5),
  note: z.string().nullable().optional(),
  shape: z.union([z.strictObject({ round: z.boolean() }), z.literal('NONE')]).optional(),
  login: z.strictObject({ user: z.string().max(3), password: z.string().max(3) }).optional(),
})
const query = z.strictObject({
  ...pageQuery,
  tag: listParam(z.string()).optional(),
  on: booleanParam().optional(),
  from: instantParam().optional(),
})
const answer = z.object({ id: z.string(), actor: z.string(), account: z.string() })

function things(app: App): void {
  const seen = { config: { access: 'public' } } as const
  app.post('/things', { ...seen, schema: { body } }, async ({ body: sent }) => ({ sent }))
  app.post('/logins', { config: { access: 'public', secretPaths: ['login'] }, schema: { body } }, async () => ({}))
  app.get('/things', { ...seen, schema: { querystring: query } }, async ({ query: sent }) => ({ sent }))
  app.get('/things/:id', { ...seen, schema: { params: z.object({ id: uuidParam('thing') }) } }, async () => ({}))
  app.get('/broken', seen, async () => {
    throw new Error('the password is hunter2')
  })
  app.get(
    '/leaky',
    { ...seen, schema: { response: { 200: answer } } },
    async () => ({ id: '1', actor: 'a', account: 'b', secretLeak: 'hunter2' }) as never,
  )
  const whoAmI = async ({ principal }: { principal: { actor: string; accountId: string } }) => ({
    id: '1',
    actor: principal.actor,
    account: principal.accountId,
  })
  for (const access of ['read', 'run', 'write', 'admin', 'operator'] as const) {
    app.get(`/${access}`, { config: { access }, schema: { response: { 200: answer } } }, whoAmI)
    app.post(`/${access}`, { config: { access }, schema: { response: { 200: answer } } }, whoAmI)
  }
}

let plain: Promise<App> | undefined
/** The shared server for tests that change nothing in it; a new one for tests with options. */
const open = (options?: Parameters<typeof openTestHttp>[2]) =>
  options ? openTestHttp(database.db, things, options) : (plain ??= openTestHttp(database.db, things))
const post = async (app: App, payload: unknown, headers = {}, url = '/things') => {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: payload as string,
  })
  return {
    status: response.statusCode,
    text: response.body,
    ...(response.json() as { message: string; validation: unknown }),
  }
}

describe('bodies', () => {
  const good = { name: 'a', count: 1 }
  test.each([
    [{ ...good, count: '1' }, '"count" must be a number, got "1"'],
    [{ ...good, count: 1.5 }, '"count" must be a whole number, got 1.5'],
    [{ ...good, count: 6 }, '"count" must be at most 5, got 6'],
    [{ ...good, count: null }, '"count" must be a number, got null'],
    [{ count: 1 }, '"name" is required'],
    [{ ...good, name: 'x'.repeat(21) }, '"name" must be at most 20 characters long, got 21'],
    [{ ...good, nam: 1 }, '"nam" is not a known field'],
    [{ ...good, shape: { square: true } }, '"shape.round" is required'],
    [{ ...good, shape: { round: 'yes' } }, '"shape.round" must be a boolean, got "yes"'],
    [{ ...good, name: 'a\0b' }, '"name" holds a character that text cannot hold'],
    [{ ...good, note: '\ud800' }, '"note" holds a character that text cannot hold'],
    [[], 'payload must be an object'],
    [undefined, 'payload must be an object'],
  ])('%j is refused naming field, rule and value', async (payload, message) => {
    const refused = await post(await open(), payload === undefined ? '' : JSON.stringify(payload))
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) })
  })

  test('all problems are named, the first is told', async () => {
    const refused = await post(await open(), JSON.stringify({ count: 9, extra: 1 }))
    expect(refused.validation).toEqual({ source: 'payload', keys: ['name', 'count', 'extra'] })
  })

  test('null stays null and a zero stays a zero', async () => {
    const sent = await post(await open(), JSON.stringify({ ...good, note: null }))
    expect(sent).toMatchObject({ status: 200, sent: { ...good, note: null } })
  })

  test.each(['{"name":', 'name=a'])('%s is no JSON we read', async (text) => {
    expect(await post(await open(), text)).toMatchObject({ status: 400, message: 'The body is not valid JSON.' })
  })

  test.each([
    ['{"__proto__":{"a":1}}', '__proto__'],
    ['{"name":"a","shape":[{"constructor":{"prototype":1}}]}', 'shape.0.constructor.prototype'],
  ])('%s names the field that would change what objects inherit', async (text, field) => {
    const message = `"${field}" is not a known field`
    expect(await post(await open(), text)).toMatchObject({ status: 400, message, validation: { keys: [field] } })
  })

  test('three megabytes are a 413, another content type a 415', async () => {
    const app = await open()
    expect((await post(app, JSON.stringify({ name: 'x'.repeat(3_000_000) }))).status).toBe(413)
    expect((await post(app, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await post(app, 'hello', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('long values are cut, secret ones are not repeated', async () => {
    const app = await open()
    const cut = await post(app, JSON.stringify({ ...good, count: 'x'.repeat(500) }))
    expect(cut.message.length).toBeLessThan(160)
    const secret = { ...good, login: { user: 'abcd', password: 5 } }
    expect((await post(app, JSON.stringify(secret), {}, '/logins')).text).not.toContain('abcd')
    const whole = { ...good, login: 'ann:hunter2' }
    expect((await post(app, JSON.stringify(whole), {}, '/logins')).text).not.toContain('hunter2')
    const byName = { ...good, login: { user: 'a', password: 'hunter2' } }
    expect((await post(app, JSON.stringify(byName))).text).not.toContain('hunter2')
  })

  test('a body that nests deeper than any stack is refused like others', async () => {
    const app = await open()
    const deep = `${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`
    expect((await post(app, deep)).status).toBe(400)
    expect((await post(app, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).status).toBe(400)
  })

  test('a flood of wrong fields is not answered by a flood', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`field${n}`, n]))
    const refused = await post(await open(), JSON.stringify({ ...good, ...many }))
    expect(refused.status).toBe(400)
    expect(refused.text.length).toBeLessThan(5000)
  })

  test('a route whose body lets unknown fields pass stops the start', async () => {
    const lenient = openTestHttp(database.db, (app) => {
      app.post('/x', { config: { access: 'public' }, schema: { body: z.object({ a: z.string() }) } }, async () => ({}))
    })
    await expect(lenient).rejects.toThrow('must be strict')
  })
})

describe('queries and paths', () => {
  test.each([
    ['limit=0', '"limit" must be at least 1, got 0'],
    ['limit=101', '"limit" must be at most 100, got 101'],
    ['limit=ten', '"limit" must be a number, got "ten"'],
    ['limit=', '"limit" must be a number, got ""'],
    ['limit=1&limit=2', '"limit" must be a number, got an array'],
    ['page=0', '"page" must be at least 1, got 0'],
    ['page=-1', '"page" must be at least 1, got -1'],
    ['on=1', '"on" must be a boolean, got "1"'],
    ['from=yesterday', '"from" must be a UNIX timestamp in seconds or an ISO 8601 date'],
    ['limt=5', '"limt" is not a known parameter; this takes limit, page, tag, on, from'],
    ['tag=%00', '"tag" holds a character'],
  ])('?%s is refused', async (search, message) => {
    const response = await (await open()).inject(`/things?${search}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      message: expect.stringContaining(message),
      validation: { source: 'query' },
    })
  })

  test('text becomes what the parameter is', async () => {
    const response = await (await open()).inject('/things?limit=5&tag=a,b&tag=c&on=false&from=1700000000')
    expect(response.json()).toEqual({
      sent: { limit: 5, page: 1, tag: ['a', 'b', 'c'], on: false, from: 1_700_000_000_000 },
    })
    for (const same of ['1700000000000', '2023-11-14T22:13:20Z', '2023-11-14T22:13:20.000']) {
      const { sent } = (await (await open()).inject(`/things?from=${same}`)).json<{ sent: { from: number } }>()
      expect(sent.from).toBe(1_700_000_000_000)
    }
  })

  test('a malformed id and an unknown path are a 404 with the one error body', async () => {
    const app = await open()
    for (const path of ['/things/17', '/things/%00', '/nothing', `/things/${'x'.repeat(300)}`]) {
      const response = await app.inject(path)
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ statusCode: 404, error: 'Not Found', requestId: expect.any(String) })
    }
  })
})

describe('answers', () => {
  test('what breaks on our side tells nothing but the request id', async () => {
    const response = await (await open()).inject('/broken')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('hunter2')
    expect(response.body).toContain(String(response.headers['x-request-id']))
  })

  test('a field that is not in the schema does not leave', async () => {
    expect((await (await open()).inject('/leaky')).body).not.toContain('hunter2')
  })

  test('a request id that is sent is kept, a strange one is replaced', async () => {
    const app = await open()
    const kept = await app.inject({ url: '/things', headers: { 'x-request-id': 'trace-12345' } })
    expect(kept.headers['x-request-id']).toBe('trace-12345')
    const replaced = await app.inject({ url: '/things', headers: { 'x-request-id': 'a\tb<script>' } })
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('signing in', () => {
  const call = (app: App, url: string, headers: Record<string, string | undefined>, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers })
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  test('a route that declares no access stops the start', async () => {
    const undeclared = openTestHttp(database.db, (app) => void app.get('/open', async () => ({})))
    await expect(undeclared).rejects.toThrow('GET /open declares no config.access')
  })

  test('no key, an unknown key and another scheme are a 401', async () => {
    const app = await open()
    for (const headers of [{}, bearer('vdu_unknown'), { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }]) {
      const response = await call(app, '/read', headers)
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('each role includes the ones before it', async () => {
    const app = await open()
    const account = await givenAccount(database.db)
    const order = ['read', 'run', 'write', 'admin'] as const
    for (const [have, role] of order.entries()) {
      const key = await givenKey(database.db, account, role)
      for (const [need, access] of order.entries()) {
        expect((await call(app, `/${access}`, bearer(key))).statusCode).toBe(need <= have ? 200 : 403)
      }
    }
  })

  test('only an admin of the operating account is an operator', async () => {
    const app = await open()
    const { rows } = await database.db.pool.query<{ id: string }>(
      'SELECT id FROM accounts ORDER BY created_at, id LIMIT 1',
    )
    const operator = rows[0]?.id ?? (await givenAccount(database.db))
    const other = await givenAccount(database.db)
    const get = async (account: string, role: 'admin' | 'write') =>
      (await call(app, '/operator', bearer(await givenKey(database.db, account, role)))).statusCode
    expect(await get(operator, 'admin')).toBe(200)
    expect(await get(operator, 'write')).toBe(403)
    expect(await get(other, 'admin')).toBe(403)
  })

  test('the account header narrows and never widens, under every name it has', async () => {
    const app = await open({ accountHeaders: ['x-acme-account'] })
    const account = await givenAccount(database.db)
    const other = await givenAccount(database.db)
    const key = bearer(await givenKey(database.db, account, 'read'))
    expect((await call(app, '/read', { ...key, 'x-service-account': account })).statusCode).toBe(200)
    expect((await call(app, '/read', { ...key, 'x-service-account': other })).statusCode).toBe(403)
    expect((await call(app, '/read', { ...key, 'x-acme-account': other })).statusCode).toBe(403)
    const both = { ...key, 'x-service-account': account, 'x-acme-account': other }
    expect((await call(app, '/read', both)).statusCode).toBe(403)
  })

  test('a revoked key is refused at once where it was revoked, and elsewhere within five seconds', async () => {
    let nowMs = Date.now()
    const clock = { ...systemClock, now: () => nowMs }
    const authenticate = authenticator(database.db)
    const app = await open({ clock, authenticate })
    const elsewhere = await open({ clock })
    const raw = await givenKey(database.db, await givenAccount(database.db), 'read')
    for (const each of [app, elsewhere]) expect((await call(each, '/read', bearer(raw))).statusCode).toBe(200)
    await database.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE masked = $1', [`…${raw.slice(-4)}`])
    authenticate.forget()
    expect((await call(app, '/read', bearer(raw))).statusCode).toBe(401)
    nowMs += 5001
    expect((await call(elsewhere, '/read', bearer(raw))).statusCode).toBe(401)
  })

  test('guessing is throttled for the address, and never for a key that is known', async () => {
    const app = await open({})
    const raw = await givenKey(database.db, await givenAccount(database.db), 'read')
    expect((await call(app, '/read', bearer(raw))).statusCode).toBe(200)
    const answers: number[] = []
    for (let i = 0; i < 61; i++) answers.push((await call(app, '/read', bearer(`guess-${i}`))).statusCode)
    expect(answers.slice(0, 60).every((status) => status === 401)).toBe(true)
    const refused = await call(app, '/read', bearer('guess-again'))
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(app, '/read', bearer(raw))).statusCode).toBe(200)
  })
})

describe('browser sessions', () => {
  const host = new URL(testBaseUrl).host
  const send = (app: App, cookie: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'POST') =>
    app.inject({ method, url: '/read', headers: { cookie, host, ...headers } })

  test('a page of this server may read and write', async () => {
    const app = await open()
    const cookie = await givenSession(database.db, [{ accountId: await givenAccount(database.db), role: 'read' }])
    expect((await send(app, cookie, {}, 'GET')).statusCode).toBe(200)
    expect((await send(app, cookie, { origin: testBaseUrl })).statusCode).toBe(200)
    expect((await send(app, cookie, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
    expect((await send(app, cookie, { host: 'localhost:8080', origin: 'http://localhost:8080' })).statusCode).toBe(200)
    const mapped = { host: 'localhost:9000', origin: 'http://localhost:9000' }
    expect((await send(app, cookie, mapped)).statusCode).toBe(200)
  })

  test.each([
    ['no origin at all', {}],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site neighbour', { 'sec-fetch-site': 'same-site', origin: testBaseUrl }],
    ['another program of this machine', { host: 'localhost:8080', origin: 'http://localhost:3000' }],
    ['a rebound name', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('%s may not write', async (_name, headers) => {
    const app = await open()
    const cookie = await givenSession(database.db, [{ accountId: await givenAccount(database.db), role: 'admin' }])
    expect((await send(app, cookie, headers)).statusCode).toBe(403)
  })

  test('a rebound name may not even read', async () => {
    const app = await open()
    const cookie = await givenSession(database.db, [{ accountId: await givenAccount(database.db), role: 'admin' }])
    expect((await send(app, cookie, { host: 'evil.example' }, 'GET')).statusCode).toBe(403)
  })

  test('a person may name any account they belong to, with the role they have there', async () => {
    const app = await open()
    const [first, second, foreign] = [
      await givenAccount(database.db),
      await givenAccount(database.db),
      await givenAccount(database.db),
    ]
    const cookie = await givenSession(database.db, [
      { accountId: first, role: 'admin' },
      { accountId: second, role: 'read' },
    ])
    const get = (url: string, account: string) =>
      app.inject({ url, headers: { cookie, host, 'x-service-account': account } })
    expect((await get('/admin', first)).json()).toMatchObject({ account: first })
    expect((await get('/read', second)).json()).toMatchObject({ account: second })
    expect((await get('/admin', second)).statusCode).toBe(403)
    expect((await get('/read', foreign)).statusCode).toBe(403)
  })

  test('an expired or revoked session is a 401', async () => {
    const app = await open()
    for (const change of ["expires_at = now() - interval '1 second'", 'revoked_at = now()']) {
      const cookie = await givenSession(database.db, [{ accountId: await givenAccount(database.db), role: 'admin' }])
      await database.db.pool.query(`UPDATE web_sessions SET ${change}`)
      expect((await send(app, cookie, {}, 'GET')).statusCode).toBe(401)
    }
  })
})

describe('rate limits', () => {
  test('end after their window, also when the clock of the host was set back meanwhile', async () => {
    const clock = new TestClock()
    const routes = (http: App) => {
      http.get('/all', { config: { access: 'public' } }, async () => ({}))
      http.get('/own', { config: { access: 'public', ...rateLimited(1, 10) } }, async () => ({}))
    }
    const app = await openTestHttp(database.db, routes, { clock, rateLimit: { max: 2, windowSeconds: 60 } })
    const codes = async (...urls: string[]) => {
      const answers = []
      for (const url of urls) answers.push((await app.inject(url)).statusCode)
      return answers
    }
    expect(await codes('/all', '/all', '/all', '/own', '/own')).toEqual([200, 200, 429, 200, 429])
    clock.setWall(-3_600_000)
    await clock.advance(10_001)
    expect((await app.inject('/all')).headers['retry-after']).toBe('50')
    expect(await codes('/all', '/own', '/own')).toEqual([429, 200, 429])
    await clock.advance(50_000)
    expect(await codes('/all', '/all', '/all')).toEqual([200, 200, 429])
    await app.close()
  })

  test('do not count the files of the web app, of which one load of a page asks for dozens', async () => {
    const routes = (http: App) => {
      http.get('/files/one.js', async () => '')
      http.get('/all', { config: { access: 'public' } }, async () => ({}))
    }
    const options = { rateLimit: { max: 1, windowSeconds: 60 }, publicPrefixes: ['/files'] }
    const app = await openTestHttp(database.db, routes, options)
    const codes = []
    for (const url of ['/files/one.js', '/files/one.js', '/all', '/files/one.js', '/all'])
      codes.push((await app.inject(url)).statusCode)
    expect(codes).toEqual([200, 200, 200, 200, 429])
    await app.close()
  })

  test('each key has its own count, and a full one is told when to go on', async () => {
    const app = await openTestHttp(database.db, things, { rateLimit: { max: 3, windowSeconds: 60 } })
    const account = await givenAccount(database.db)
    const [one, two] = [await givenKey(database.db, account, 'read'), await givenKey(database.db, account, 'read')]
    const get = (key: string) => app.inject({ url: '/read', headers: { authorization: `Bearer ${key}` } })
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await get(one))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' })
    expect(answers[3]?.headers['retry-after']).toBeDefined()
    expect(answers[3]?.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
    expect((await get(two)).statusCode).toBe(200)
  })
})

test('nothing is served before the routes are there', async () => {
  const app = await buildHttp({ db: database.db, clock: systemClock, baseUrl: () => testBaseUrl })
  expect(app.routeTable.every(({ access }) => access === 'public')).toBe(true)
  await app.close()
})
