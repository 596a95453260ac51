import { checkTypes, responseSchema } from '@vedette/checks'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { checkBodies, type CheckPath } from '../../../test-support/check-bodies.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent } from '../../../test-support/plane.ts'
import { refreshNotRunnable } from './index.ts'

type Json = Record<string, unknown>

const awaiting = checkTypes
  .filter(({ awaitsRunner }) => awaitsRunner)
  .map((type) => [type.type, type, checkBodies[type.path as CheckPath]] as const)
const secret = { key: 'TOKEN', value: 'open sesame', secret: true }

const database = useEmptiedDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
beforeEach(() => forgetChecks(database.db))

const create = (path: string, body: Json) => api.call('POST', `/v1/checks/${path}`, { body: { name: 'Shop', ...body } })

const statusOf = async (id: unknown) => (await api.call('GET', `/v1/check-statuses/${String(id)}`)).body

const notRunnable = (id: unknown, reason: string) =>
  database.db.pool.query('UPDATE checks SET not_runnable = $2 WHERE id = $1', [id, reason])

describe.each(awaiting)('a check of type %s, which has no runner yet,', (name, type, least) => {
  it('is created, read, listed, changed and deleted like any other', async () => {
    const created = await create(type.path, least)
    expect(created.status).toBe(201)
    expect(responseSchema(type).parse(created.body)).toEqual(created.body)
    const id = String(created.body['id'])
    for (const version of ['v1', 'v2']) {
      expect((await api.call('GET', `/${version}/checks/${id}`)).body).toEqual(created.body)
      const { list, headers } = await api.call('GET', `/${version}/checks?checkType=${name}&search=${id}`)
      expect([list, headers['content-range']]).toEqual([[created.body], '0-0/1'])
    }
    const changed = await api.call('PUT', `/v1/checks/${type.path}/${id}`, { body: { ...created.body, tags: ['a'] } })
    expect([changed.status, changed.body['tags']]).toEqual([200, ['a']])
    const other = await givenApi(database.db)
    expect((await other.call('GET', `/v2/checks/${id}`)).status).toBe(404)
    expect((await api.call('DELETE', `/v1/checks/${id}`)).status).toBe(204)
    expect((await api.call('GET', `/v2/checks/${id}`)).status).toBe(404)
  })

  it('waits, and says why it does not run', async () => {
    const { body } = await create(type.path, least)
    expect(api.changes.at(-1)).toEqual({ checkId: body['id'], change: 'created', runNow: false })
    const reason = `No runner yet; this version keeps ${type.title} checks and cannot run them. They start by themselves with one that can.`
    expect(await statusOf(body['id'])).toMatchObject({ state: 'pending', hasErrors: false, notRunnable: reason })
    const run = await api.call('POST', `/v1/checks/${String(body['id'])}/run`)
    expect([run.status, run.body['message']]).toEqual([409, `The check cannot run: ${reason}`])
    expect((await api.call('POST', `/v1/checks/${type.path}/dry-run`, { body })).status).toBe(404)
  })

  it('has no runs, no gaps and no alerts, however long it waits', async () => {
    const { body } = await create(type.path, { ...least, frequency: 5 })
    const plane = await givenPlane(database.db)
    await plane.dispatch.checkChanged(String(body['id']))
    await plane.clock.advance(30 * 60_000)
    expect(plane.dispatch.condition().checks).toEqual([])
    await plane.stop()
    for (const table of ['pending_runs', 'check_results', 'check_alerts', 'check_episodes']) {
      const { rows } = await database.db.pool.query(`SELECT 1 FROM ${table} WHERE check_id = $1`, [body['id']])
      expect(rows, table).toEqual([])
    }
    expect((await database.db.pool.query('SELECT 1 FROM coverage_gaps')).rows).toEqual([])
    expect(await statusOf(body['id'])).toMatchObject({ state: 'pending' })
  })
})

describe('a new version', () => {
  it('starts the checks whose type has a runner now, at its next start', async () => {
    const { body: check } = await create('url', { frequency: 1, request: { url: 'https://shop.example/' } })
    await notRunnable(check['id'], 'This version has no runner for URL checks yet.')
    expect(await statusOf(check['id'])).toMatchObject({ state: 'pending', notRunnable: expect.any(String) })
    const before = await givenPlane(database.db)
    await before.clock.advance(2 * 60_000)
    expect(before.dispatch.condition().checks).toEqual([])
    await before.stop()

    await refreshNotRunnable(before)
    expect(await statusOf(check['id'])).toMatchObject({ notRunnable: null })
    const after = await givenPlane(database.db, before.clock)
    await after.clock.advance(5000)
    const agent = new TestAgent(after, await after.agents.keys.mintBuiltin('test'))
    await agent.hello()
    await after.clock.advance(60_000)
    expect((await agent.lease()).map(({ checkId, type }) => [checkId, type])).toEqual([[check['id'], 'URL']])
    await after.stop()
    const { body: read } = await api.call('GET', `/v1/checks/${String(check['id'])}`)
    expect(read).toEqual(check)
  })

  it('leaves those alone that still cannot run, with its own reason, and those that can', async () => {
    const { body: waits } = await create('multistep', checkBodies.multistep)
    const { body: runs } = await create('api', { request: { url: 'https://shop.example/' } })
    await notRunnable(waits['id'], 'An older reason.')
    await refreshNotRunnable(api.deps)
    expect((await statusOf(waits['id']))['notRunnable']).toMatch(/keeps Multi-step checks and cannot run them/)
    expect((await statusOf(runs['id']))['notRunnable']).toBeNull()
  })

  it('starts a deleted check as soon as it is brought back', async () => {
    const { body: check } = await create('api', { request: { url: 'https://shop.example/' } })
    await notRunnable(check['id'], 'An older reason.')
    await api.call('DELETE', `/v1/checks/${String(check['id'])}`)
    await refreshNotRunnable(api.deps)
    await api.call('POST', `/v1/checks/${String(check['id'])}/restore`, { body: {} })
    expect(api.changes.at(-1)).toMatchObject({ checkId: check['id'], runNow: true })
  })

  it('goes through all of them, in parts', async () => {
    const { body: check } = await create('api', { request: { url: 'https://shop.example/' } })
    await database.db.pool.query(
      `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
         revision, version, created_at, not_runnable)
       SELECT gen_random_uuid(), account_id, type, name, false, '{}', definition, effective, secrets, false, 1, 1, created_at,
         'An older reason.' FROM checks, generate_series(1, 1100) WHERE id = $1`,
      [check['id']],
    )
    await refreshNotRunnable(api.deps)
    expect((await database.db.pool.query(`SELECT 1 FROM checks WHERE not_runnable = 'An older reason.'`)).rows).toEqual(
      [],
    )
  })
})

test.each([
  ['dns', { request: { query: '', recordType: 'A' } }, '"request.query" must'],
  ['dns', { request: { query: 'shop.example', recordType: 'ANY' } }, '"request.recordType" must be one of A, AAAA'],
  ['dns', { ...checkBodies.dns, maxResponseTime: 5001 }, '"maxResponseTime" must be at most 5000, got 5001'],
  ['icmp', { request: { hostname: 'shop.example', pingCount: 51 } }, '"request.pingCount" must be at most 50, got 51'],
  ['icmp', { ...checkBodies.icmp, maxPacketLossThreshold: 101 }, '"maxPacketLossThreshold" must be at most 100'],
  [
    'icmp',
    {
      request: {
        hostname: 'a',
        assertions: [{ source: 'LATENCY', comparison: 'LESS_THAN', property: 'p99', target: '1' }],
      },
    },
    '"request.assertions.0.property" must be one of avg, min, max, stdDev, got "p99"',
  ],
  ['browser', {}, '"script" is required'],
  ['browser', { script: 'done()', frequency: 0 }, '"frequency" must be one of 1, 2, 5'],
  [
    'browser',
    { script: 'done()', sslCheckDomain: 'https://shop.example' },
    '"sslCheckDomain" must be a full domain name',
  ],
  ['multistep', { script: '' }, '"script" must'],
  ['playwright', { codeBundlePath: 'a', engine: 'deno' }, '"engine" must be one of node, bun'],
  ['agentic', { prompt: 'x'.repeat(10_001) }, '"prompt" must'],
  ['agentic', { ...checkBodies.agentic, frequency: 2 }, '"frequency" must be one of 5, 10, 15'],
  ['agentic', { ...checkBodies.agentic, retryStrategy: null }, '"retryStrategy" is not a known field'],
  ['url', { request: { url: 'https://shop.example/', method: 'POST' } }, '"request.method" must be'],
  ['url', { request: { url: 'ftp://shop.example/' } }, '"request.url" must be an http or https address'],
])('a %s check with %j is refused, naming the field', async (path, body, message) => {
  const { status, body: answer } = await create(path, body)
  expect([status, answer['message']]).toEqual([400, expect.stringContaining(message)])
})

test('variables of scripts are sealed and masked, and kept by a mask that is sent back', async () => {
  const { body } = await create('multistep', { ...checkBodies.multistep, environmentVariables: [secret] })
  expect(body['environmentVariables']).toEqual([{ key: 'TOKEN', value: '******', locked: false, secret: true }])
  const url = `/v1/checks/multistep/${String(body['id'])}`
  expect((await api.call('PUT', url, { body })).status).toBe(200)
  const { rows } = await database.db.pool.query<{ row: string }>('SELECT c::text AS row FROM checks c WHERE id = $1', [
    body['id'],
  ])
  expect(rows[0]?.row).not.toContain('open sesame')
})

test.each(['v1', 'v2'])(
  '/%s answers without the files that a script imports when they are not asked for',
  async (v) => {
    const dependencies = [{ path: './cart.js', content: 'export const cart = []' }]
    const { body } = await create('browser', { ...checkBodies.browser, dependencies })
    const read = async (query: string) => (await api.call('GET', `/${v}/checks/${String(body['id'])}${query}`)).body
    expect(await read('')).toEqual(body)
    expect(await read('?includeDependencies=true')).toEqual(body)
    const { dependencies: _, ...rest } = body
    expect(await read('?includeDependencies=false')).toEqual(rest)
  },
)
