import { randomUUID } from 'node:crypto'
import { checkTypes } from '@vedette/checks'
import { assignedFrequencyOffset } from '@vedette/wire'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { answeredResult } from '../../../test-support/results.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const shop = { name: 'Shop', request: { url: 'https://shop.example/health' } }

async function givenCheck(more: Record<string, unknown> = {}, path = 'api'): Promise<Record<string, unknown>> {
  const created = await api.call('POST', `/v1/checks/${path}`, { body: { ...shop, ...more } })
  expect(created.text).toContain('"id"')
  expect(created.status).toBe(201)
  return created.body
}

async function givenChannel(
  config: Record<string, unknown> = { address: 'a@example.test' },
  auto = false,
): Promise<number> {
  const { rows } = await database.db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded,
       ssl_expiry, ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, $2, $3, '{}', true, true, false, false, 30, $4, 1, now()) RETURNING id`,
    [api.accountId, 'url' in config ? 'WEBHOOK' : 'EMAIL', JSON.stringify(config), auto],
  )
  return rows[0]?.id ?? 0
}

describe('creating', () => {
  test('fills in the defaults of the contract and answers 201 with an ETag', async () => {
    const created = await api.call('POST', '/v1/checks/api', { body: shop })
    expect(created.status).toBe(201)
    expect(created.headers.etag).toBe('"1"')
    expect(created.body).toMatchObject({
      name: 'Shop',
      checkType: 'API',
      activated: true,
      muted: false,
      doubleCheck: true,
      shouldFail: false,
      locations: null,
      tags: [],
      useGlobalAlertSettings: true,
      frequency: 10,
      degradedResponseTime: 5000,
      maxResponseTime: 20_000,
      updated_at: null,
      alertChannels: {},
    })
    const id = String(created.body.id)
    expect(created.body.frequencyOffset).toBe(assignedFrequencyOffset(id, 10))
    expect((await api.call('GET', `/v1/checks/${id}`)).body).toEqual(created.body)
  })

  test('makes the first revision and a pending status, writes the audit row and asks for a run', async () => {
    const { id } = await givenCheck()
    const { rows } = await database.db.pool.query(
      `SELECT r.revision, s.state, a.action, a.actor FROM check_revisions r JOIN check_status s USING (check_id)
       JOIN audit_log a ON a.resource_id = check_id::text WHERE r.check_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ revision: 1, state: 'pending', action: 'create', actor: expect.stringMatching(/^key:/) }])
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'created', runNow: true })
  })

  test('a paused check is not run', async () => {
    const { id } = await givenCheck({ activated: false })
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'created', runNow: false })
  })

  test('subscribes to every channel, unless told not to; then only to those that ask for new checks', async () => {
    const plain = await givenChannel()
    const eager = await givenChannel({ url: 'https://hook.example', name: 'Hook', method: 'POST', headers: [] }, true)
    const all = await givenCheck()
    expect(all.alertChannelSubscriptions).toEqual([
      { alertChannelId: plain, activated: true },
      { alertChannelId: eager, activated: true },
    ])
    expect(all.alertChannels).toMatchObject({
      email: [{ address: 'a@example.test' }],
      webhook: [{ url: 'https://hook.example', name: 'Hook', method: 'POST' }],
    })
    const few = await api.call('POST', '/v1/checks/api?autoAssignAlerts=false', { body: shop })
    expect(few.body.alertChannelSubscriptions).toEqual([{ alertChannelId: eager, activated: true }])
    const muted = await givenCheck({ alertChannelSubscriptions: [{ alertChannelId: plain, activated: false }] })
    expect(muted.alertChannelSubscriptions).toContainEqual({ alertChannelId: plain, activated: false })
    expect(muted.alertChannels).not.toHaveProperty('email')
  })

  test('keeps the password sealed and answers a mask', async () => {
    const auth = { username: 'ann', password: 'open sesame' }
    const check = await givenCheck({ request: { ...shop.request, basicAuth: auth } })
    expect(check.request).toMatchObject({ basicAuth: { username: 'ann', password: '******' } })
    const { rows } = await database.db.pool.query<{ row: string }>(
      'SELECT c::text AS row FROM checks c WHERE id = $1',
      [check.id],
    )
    expect(rows[0]?.row).not.toContain('open sesame')
  })

  test('a check whose scripts nothing can run yet says so in its status', async () => {
    const { id } = await givenCheck({ localSetupScript: 'console.log(1)' })
    const status = await api.call('GET', `/v1/check-statuses/${String(id)}`)
    expect(status.body).toMatchObject({ state: 'pending', notRunnable: expect.stringContaining('scripts') })
    expect(api.changes.at(-1)?.runNow).toBe(false)
    expect((await api.call('POST', `/v1/checks/${String(id)}/run`)).status).toBe(409)
  })
})

describe('refusing', () => {
  const cases: [string, Record<string, unknown>, string, string?][] = [
    ['no name', { name: undefined }, '"name" is required'],
    ['a wrong type', { name: 5 }, '"name" must be a string, got 5'],
    ['a number as text', { frequency: '5' }, '"frequency" must be one of 0, 1, 2, 5'],
    ['null for a name', { name: null }, '"name" must be a string, got null'],
    ['an unknown field', { nme: 'x' }, '"nme" is not a known field'],
    ['an unknown nested field', { request: { ...shop.request, verb: 'GET' } }, '"request.verb" is not a known field'],
    ['an unknown frequency', { frequency: 3 }, '"frequency" must be one of 0, 1, 2, 5', ', got 3'],
    [
      'a long description',
      { description: 'x'.repeat(501) },
      '"description" must be at most 500 characters long, got 501',
    ],
    ['a limit out of bounds', { maxResponseTime: 30_001 }, '"maxResponseTime" must be at most 30000, got 30001'],
    ['an unknown location', { locations: ['eu-west-9'] }, '"locations.0" must be one of us-east-1'],
    ['an unknown runtime', { runtimeId: '1999.01' }, '"runtimeId" must be one of 2026.04', '"1999.01"'],
    ['an offset that does not fit', { frequency: 5, frequencyOffset: 51 }, '"frequencyOffset" must be from 1 to 50'],
    ['a bad sub-minute offset', { frequency: 0, frequencyOffset: 15 }, '"frequencyOffset" must be one of 10, 20, 30'],
    ['an unknown group', { groupId: 7 }, '"groupId" names no check group of this account, got 7'],
    ['an unknown snippet', { setupSnippetId: 7 }, '"setupSnippetId" names no snippet of this account, got 7'],
    ['an unknown snippet', { tearDownSnippetId: 8 }, '"tearDownSnippetId" names no snippet of this account, got 8'],
    ['an unknown place', { privateLocations: ['hq'] }, '"privateLocations.0" names no private location', '"hq"'],
    [
      'an unknown channel',
      { alertChannelSubscriptions: [{ alertChannelId: 2_000_000_000, activated: true }] },
      '"alertChannelSubscriptions.0.alertChannelId" names no alert channel of this account, got 2000000000',
    ],
    [
      'a channel beyond all ids',
      { alertChannelSubscriptions: [{ alertChannelId: 99_999_999_999, activated: true }] },
      '"alertChannelSubscriptions.0.alertChannelId" must be at most 2147483647, got 99999999999',
    ],
    [
      'a mask of nothing',
      { request: { ...shop.request, basicAuth: { username: 'a', password: '******' } } },
      'is a mask',
    ],
  ]
  test.each(cases)('%s is a 400 naming field, rule and value', async (_name, body, message, also = '') => {
    const answer = await api.call('POST', '/v1/checks/api', { body: { ...shop, ...body } })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request', validation: { source: 'payload' } })
    expect(answer.body.message).toContain(message)
    expect(answer.body.message).toContain(also)
    const [, field] = /^"([^"]+)"/.exec(String(answer.body.message)) ?? []
    expect((answer.body.validation as { keys: string[] }).keys).toContain(field)
  })

  test('a secret of the wrong type is not repeated', async () => {
    const request = { ...shop.request, basicAuth: { username: 'a', password: 12_345_678 } }
    const answer = await api.call('POST', '/v1/checks/api', { body: { ...shop, request } })
    expect(answer.body.message).toContain('request.basicAuth.password')
    expect(answer.text).not.toContain('12345678')
  })

  test('another account’s channel counts as unknown', async () => {
    const other = await givenApi(database.db)
    const channel = await givenChannel()
    const answer = await other.call('POST', '/v1/checks/api', {
      body: { ...shop, alertChannelSubscriptions: [{ alertChannelId: channel, activated: true }] },
    })
    expect(answer.status).toBe(400)
  })
})

describe('changing', () => {
  test('merges the sent fields and leaves the others', async () => {
    const { id } = await givenCheck({ tags: ['a'], description: 'Old' })
    const changed = await api.call('PUT', `/v1/checks/api/${String(id)}`, { body: { name: 'New' } })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ name: 'New', tags: ['a'], description: 'Old' })
    expect(changed.headers.etag).toBe('"2"')
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'updated', runNow: false })
  })

  test('an answer sent back whole changes nothing that runs, and keeps the secret', async () => {
    const request = { ...shop.request, basicAuth: { username: 'ann', password: 'open sesame' } }
    const check = await givenCheck({ request })
    const again = await api.call('PUT', `/v1/checks/api/${String(check.id)}`, { body: check })
    expect(again.status).toBe(200)
    const { rows } = await database.db.pool.query('SELECT revision, offset_sent FROM checks WHERE id = $1', [check.id])
    expect(rows).toEqual([{ revision: 1, offset_sent: false }])
  })

  test('a new address is a new revision and runs at once', async () => {
    const { id } = await givenCheck()
    await api.call('PUT', `/v1/checks/api/${String(id)}`, { body: { request: { url: 'https://other.example' } } })
    const { rows } = await database.db.pool.query(
      'SELECT revision FROM check_revisions WHERE check_id = $1 ORDER BY 1',
      [id],
    )
    expect(rows.map(({ revision }) => Number(revision))).toEqual([1, 2])
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'updated', runNow: true })
  })

  test('activating runs at once', async () => {
    const { id } = await givenCheck({ activated: false })
    await api.call('PUT', `/v1/checks/api/${String(id)}`, { body: { activated: true } })
    expect(api.changes.at(-1)?.runNow).toBe(true)
  })

  test('an assigned offset follows the frequency; a sent one stays and must fit', async () => {
    const { id } = await givenCheck()
    const assigned = await api.call('PUT', `/v1/checks/api/${String(id)}`, { body: { frequency: 0 } })
    expect(assigned.body.frequencyOffset).toBe(assignedFrequencyOffset(String(id), 0))
    const sent = await givenCheck({ frequency: 10, frequencyOffset: 77 })
    const refused = await api.call('PUT', `/v1/checks/api/${String(sent.id)}`, { body: { frequency: 1 } })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('"frequencyOffset" must be from 1 to 10 when frequency is 1')
  })

  test('the whole must be valid: a PUT that breaks a rule changes nothing', async () => {
    const check = await givenCheck()
    const refused = await api.call('PUT', `/v1/checks/api/${String(check.id)}`, {
      body: { frequencyOffset: 500, name: 'x' },
    })
    expect(refused.status).toBe(400)
    expect((await api.call('GET', `/v1/checks/${String(check.id)}`)).body).toEqual(check)
  })

  test('channels are assigned only when asked for', async () => {
    const created = await api.call('POST', '/v1/checks/api?autoAssignAlerts=false', {
      body: { ...shop, alertChannelSubscriptions: [] },
    })
    const before = (created.body.alertChannelSubscriptions as unknown[]).length
    const channel = await givenChannel()
    const path = `/v1/checks/api/${String(created.body.id)}`
    const untouched = await api.call('PUT', path, { body: { name: 'x' } })
    expect(untouched.body.alertChannelSubscriptions).toHaveLength(before)
    const assigned = await api.call('PUT', `${path}?autoAssignAlerts=true`, { body: {} })
    expect(assigned.body.alertChannelSubscriptions).toContainEqual({ alertChannelId: channel, activated: true })
    const kept = await api.call('PUT', path, { body: { name: 'y' } })
    expect(kept.body.alertChannelSubscriptions).toEqual(assigned.body.alertChannelSubscriptions)
    const replaced = await api.call('PUT', path, { body: { alertChannelSubscriptions: [] } })
    expect(replaced.body.alertChannelSubscriptions).toEqual([])
  })

  test('If-Match refuses to overwrite what somebody else changed', async () => {
    const { id } = await givenCheck()
    const path = `/v1/checks/api/${String(id)}`
    await api.call('PUT', path, { body: { name: 'first' }, headers: { 'if-match': '"1"' } })
    const late = await api.call('PUT', path, { body: { name: 'second' }, headers: { 'if-match': '"1"' } })
    expect(late.status).toBe(412)
  })

  test('a check of another type, an unknown and a malformed id are a 404', async () => {
    const { id } = await givenCheck()
    expect((await api.call('PUT', `/v1/checks/tcp/${String(id)}`, { body: { name: 'x' } })).status).toBe(404)
    expect((await api.call('PUT', `/v1/checks/api/${randomUUID()}`, { body: { name: 'x' } })).status).toBe(404)
    expect((await api.call('GET', '/v1/checks/17')).status).toBe(404)
  })
})

describe('deleting', () => {
  test('answers 204, hides the check everywhere and keeps its rows for the ledger', async () => {
    const { id } = await givenCheck()
    const path = `/v1/checks/${String(id)}`
    expect(await api.call('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'deleted', runNow: false })
    for (const gone of [path, `/v1/check-statuses/${String(id)}`, `/v2/check-results/${String(id)}`]) {
      expect((await api.call('GET', gone)).status).toBe(404)
    }
    expect((await api.call('DELETE', path)).status).toBe(404)
    const { rows } = await database.db.pool.query('SELECT name FROM checks WHERE id = $1', [id])
    expect(rows).toEqual([{ name: 'Shop' }])
  })
})

describe('running', () => {
  test('a run is asked for and named; a dry run validates and answers what the agent saw', async () => {
    const dryRuns: unknown[] = []
    const requested: string[] = []
    const own = await givenApi(database.db, {
      hooks: {
        runsRequested: (checkIds) => void requested.push(...checkIds),
        dryRun: (dryRun) =>
          Promise.resolve(dryRuns.push(dryRun) > 1 ? undefined : answeredResult({ hasFailures: false })),
      },
    })
    const created = await own.call('POST', '/v1/checks/api', { body: shop })
    const started = await own.call('POST', `/v1/checks/${String(created.body.id)}/run`, { key: own.keys.run })
    const { rows } = await database.db.pool.query('SELECT attempt_id, due_at FROM pending_runs WHERE check_id = $1', [
      created.body.id,
    ])
    const [run] = rows as { attempt_id: string; due_at: Date }[]
    expect(started).toMatchObject({
      status: 202,
      body: { checkRunId: run?.due_at.getTime(), resultIds: [run?.attempt_id] },
    })
    expect(requested).toEqual([created.body.id])
    const session = await own.call('GET', `/v2/check-sessions/${String(started.body.checkSessionId)}`)
    expect(session.body).toMatchObject({ status: 'STARTED', runSource: 'SCHEDULE_NOW', checkId: created.body.id })

    const bad = await own.call('POST', '/v1/checks/api/dry-run', { body: { ...shop, frequency: 3 } })
    expect(bad.status).toBe(400)
    const tried = await own.call('POST', '/v1/checks/api/dry-run?location=eu-west-1', { body: shop })
    expect(tried).toMatchObject({ status: 200, body: { hasFailures: false, apiCheckResult: {} } })
    expect(dryRuns).toMatchObject([{ accountId: own.accountId, type: 'API', location: 'eu-west-1' }])
    expect((await own.call('POST', '/v1/checks/api/dry-run', { body: shop })).status).toBe(408)
  })

  test('a dry run of a stored check uses the secret behind the mask', async () => {
    const seen: string[] = []
    const own = await givenApi(database.db, {
      hooks: {
        dryRun: ({ definition }) => {
          seen.push(JSON.stringify(definition))
          return Promise.resolve(answeredResult())
        },
      },
    })
    const request = { ...shop.request, basicAuth: { username: 'ann', password: 'open sesame' } }
    const { body } = await own.call('POST', '/v1/checks/api', { body: { ...shop, request } })
    await own.call('POST', `/v1/checks/api/dry-run?checkId=${String(body.id)}`, { body })
    expect(seen[0]).toContain('open sesame')
  })
})

describe('the registry', () => {
  test('gives every check type its routes and its documented shape', async () => {
    const routes = new Set(api.app.routeTable.map(({ method, url }) => `${method} ${url}`))
    const { components } = (await api.app.inject('/openapi.json')).json<{ components: { schemas: object } }>()
    for (const { path, dryRun } of checkTypes) {
      expect(routes.has(`POST /v1/checks/${path}/dry-run`)).toBe(dryRun)
      for (const route of [`POST /v1/checks/${path}`, `PUT /v1/checks/${path}/:id`]) {
        expect(routes).toContain(route)
      }
      expect(components.schemas).toHaveProperty(`${path.charAt(0).toUpperCase()}${path.slice(1)}Check`)
    }
  })
})

test('a scheduler that does not take a change does not undo it', async () => {
  const own = await givenApi(database.db, { hooks: { checkChanged: () => Promise.reject(new Error('not now')) } })
  const created = await own.call('POST', '/v1/checks/api', { body: shop })
  expect(created.status).toBe(201)
  expect((await own.call('GET', `/v1/checks/${String(created.body.id)}`)).status).toBe(200)
})

test('a dry run of what nothing can run, and a run of a paused check, say why not', async () => {
  const body = { ...shop, localTearDownScript: 'done()' }
  const dryRun = await api.call('POST', '/v1/checks/api/dry-run', { body })
  expect(dryRun).toMatchObject({ status: 409, body: { message: expect.stringContaining('scripts') } })
  const { id } = await givenCheck({ activated: false })
  const run = await api.call('POST', `/v1/checks/${String(id)}/run`)
  expect(run).toMatchObject({ status: 409, body: { message: expect.stringContaining('paused') } })
})
