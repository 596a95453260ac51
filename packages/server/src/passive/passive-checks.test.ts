import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../test-support/receiver.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { givenKey } from '../../test-support/http.ts'
import { secondsOf, takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

type Json = Record<string, unknown>
interface Call {
  body?: object | string
  headers?: Record<string, string>
}

const database = useDatabase()
const passive = usePassiveServer(database)
const { clock } = passive
let key: string

beforeEach(async () => {
  key = await givenKey(database.db, await givenAccount(database.db), 'admin')
})

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD', url: string, { body, headers }: Call = {}) {
  const response = await passive.server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(body !== undefined && { payload: body }),
  })
  const isJson = response.body !== '' && String(response.headers['content-type']).startsWith('application/json')
  const parsed: unknown = isJson ? JSON.parse(response.body) : {}
  return { status: response.statusCode, body: parsed as Json, list: parsed as Json[] }
}

/** A check that fails when no ping arrives within 70 seconds. */
async function givenCheck(more: Json = {}) {
  const body = { name: 'Backup', heartbeat: secondsOf(60, 10), ...more }
  const made = await call('POST', '/v1/checks/heartbeat', { body })
  expect(made.status).toBe(201)
  await clock.advance(1000)
  const { pingToken: token, pingUrl } = made.body['heartbeat'] as { pingToken: string; pingUrl: string }
  return { id: String(made.body['id']), path: new URL(pingUrl).pathname, token, body: made.body }
}

/** Sends an event without any key. */
async function send(
  path: string,
  more: {
    method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS'
    body?: string
    headers?: object
  } = {},
) {
  const response = await passive.server.app.inject({
    method: more.method ?? 'GET',
    url: path,
    headers: { 'user-agent': 'job/1', ...more.headers },
    ...(more.body !== undefined && { payload: more.body }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? {} : response.json<Json>(),
  }
}

const statusOf = async (id: string) => (await call('GET', `/v1/check-statuses/${id}`)).body
const resultsOf = async (id: string) =>
  ((await call('GET', `/v2/check-results/${id}?limit=100`)).body['entries'] as Json[]).toReversed()
/** Each result with its due time, in milliseconds from `from`. */
const outcomesOf = async (id: string, from: number) => {
  const { rows } = await database.db.pool.query<{ outcome: string; due_at: Date }>(
    'SELECT outcome, due_at FROM check_results WHERE check_id = $1 ORDER BY due_at',
    [id],
  )
  return rows.map(({ outcome, due_at: dueAt }) => [outcome, dueAt.getTime() - from])
}
const eventsOf = async (id: string) =>
  (
    await database.db.pool.query<Json & { at: Date }>('SELECT * FROM check_events WHERE check_id = $1 ORDER BY at', [
      id,
    ])
  ).rows

describe('a passive check', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await openReceiver()
  })
  afterEach(() => receiver.close())

  /** Moves time in small steps until this many alerts were delivered by real requests. */
  async function alerts(count: number): Promise<Json[]> {
    while (receiver.deliveries.length < count) await clock.advance(2)
    return receiver.deliveries.map(({ body }) => JSON.parse(body) as Json)
  }

  it('alerts when no event arrives in time and recovers with the next, over restarts of the server', async () => {
    const template = '{"type":"{{ALERT_TYPE}}","why":"{{CHECK_ERROR_MESSAGE}}","where":"{{RUN_LOCATION}}"}'
    const channel = { type: 'WEBHOOK', config: { url: receiver.base, template } }
    expect((await call('POST', '/v1/alert-channels', { body: channel })).status).toBe(201)
    const check = await givenCheck()
    expect(await statusOf(check.id)).toMatchObject({ state: 'pending', notRunnable: null })

    expect(await send(check.path)).toMatchObject({ status: 200, body: { stored: true } })
    await clock.advance(1000)
    expect(await statusOf(check.id)).toMatchObject({ state: 'passing', lastRunLocation: null, failingLocations: [] })

    await passive.server.stop()
    await clock.advance(5000)
    await passive.start()
    const restartedAt = clock.now()
    await clock.advance(69_000)
    expect(await statusOf(check.id)).toMatchObject({ state: 'passing', hasFailures: false })
    expect(receiver.deliveries).toEqual([])
    await clock.advance(1000)
    expect(await alerts(1)).toEqual([
      {
        type: 'ALERT_FAILURE',
        why: 'No ping for 78 seconds, expected every 60 seconds with 10 seconds of grace',
        where: '',
      },
    ])
    expect((await outcomesOf(check.id, restartedAt)).slice(1)).toEqual([['fail', 70_000]])

    await passive.server.stop()
    await passive.start()
    await send(check.path, { method: 'POST', body: 'all tables', headers: { 'content-type': 'text/plain' } })
    expect((await alerts(2))[1]).toMatchObject({ type: 'ALERT_RECOVERY' })
    expect(await statusOf(check.id)).toMatchObject({ state: 'passing', cause: null })
    const [, , recovered] = await resultsOf(check.id)
    expect(recovered).toMatchObject({
      runLocation: null,
      runSource: 'PASSIVE',
      checkType: 'HEARTBEAT',
      resultType: 'FINAL',
      attempts: 0,
      late: false,
      responseTime: null,
      heartbeatCheckResult: { state: 'LATE', userAgent: 'job/1' },
    })
  })

  it('is listed, shown and switched off as others are, without locations, period and runs', async () => {
    const { id, body } = await givenCheck()
    for (const field of ['frequency', 'locations', 'retryStrategy', 'runParallel'])
      expect(body).not.toHaveProperty(field)
    expect((await call('GET', `/v1/checks/${id}`)).body).toEqual(body)
    const overview = await call('GET', '/v1/overview')
    expect(overview.body['items']).toMatchObject([{ checkId: id, state: 'pending', periodMs: null, locationCount: 0 }])
    expect(await call('POST', `/v1/checks/${id}/run`)).toMatchObject({
      status: 409,
      body: { message: 'The check waits for events: it has no runs.' },
    })
    expect((await call('POST', '/v1/checks/heartbeat/dry-run', { body: {} })).status).toBe(404)
    expect(passive.server.parts.dispatch.depth()).toEqual({ waiting: 0, leased: 0, scheduled: 0 })
  })

  it('stays as it is however long nothing arrives that could change it', async () => {
    const { id, path } = await givenCheck({ heartbeat: secondsOf(86_400, 3600) })
    await send(path)
    await clock.advance(1000)
    clock.jump(20 * 3_600_000)
    expect(await statusOf(id)).toMatchObject({ state: 'passing' })
    expect((await call('GET', '/v1/overview?state=passing')).body).toMatchObject({ total: 1, items: [{ checkId: id }] })
    expect((await call('GET', '/v1/checks?status=passing')).list).toMatchObject([{ id }])
  })
})

describe('events', () => {
  it('are stored with what their sender says, cut to what is kept', async () => {
    const { id, path } = await givenCheck()
    const headers = {
      referer: 'https://ci.example/job',
      origin: 'https://ci.example',
      'content-type': 'application/json',
    }
    await send(path, { method: 'POST', body: `{"broken\u0000${'x'.repeat(3_000_000)}`, headers })
    await send(path, { headers: { referer: 'https://ci.example/job' } })
    const [first, second] = await eventsOf(id)
    expect(first).toMatchObject({ source: 'https://ci.example', user_agent: 'job/1' })
    expect(String(first?.['payload'])).toHaveLength(10_000)
    expect(String(first?.['payload'])).toMatch(/^\{"broken\ufffdxxx/)
    expect(second).toMatchObject({ source: 'https://ci.example/job', payload: null })
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBe(1)
  })

  it('that do not count are answered and ignored', async () => {
    const { id, path } = await givenCheck()
    const preview = { 'user-agent': 'ChatLinkPreview/1.0' }
    expect(await send(path, { headers: preview })).toMatchObject({ status: 200, body: { stored: false } })
    await call('PUT', `/v1/checks/heartbeat/${id}`, { body: { activated: false } })
    expect(await send(path)).toMatchObject({ status: 200, body: { stored: false, reason: 'The check is paused.' } })
    expect(await eventsOf(id)).toEqual([])
  })

  it('need the address of a check that exists, and a method of its type', async () => {
    const { id, path, token } = await givenCheck()
    for (const method of ['PUT', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const)
      expect(await send(path, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })
    for (const wrong of ['none', token.slice(0, -1), `${token}0`])
      expect((await send(`/events/${wrong}`)).status).toBe(404)
    expect((await send(`/events/${crypto.randomUUID()}`)).status).toBe(404)
    expect((await send(`/events/${token.toUpperCase()}`)).status).toBe(200)
    await call('DELETE', `/v1/checks/${id}`)
    expect((await send(path)).status).toBe(404)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  it('of one check are bounded in number', async () => {
    const { path } = await givenCheck()
    for (let sent = 0; sent < 120; sent++) expect((await send(path)).status).toBe(200)
    const answer = await send(path)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send((await givenCheck()).path)).status).toBe(200)
  })

  it('are decided each on its own, in the order in which they came, more than one step takes too', async () => {
    const { id, path } = await givenCheck()
    for (let sent = 0; sent < 110; sent++) await send(path)
    await clock.advance(3000)
    const { rows } = await database.db.pool.query<{ outcome: string; due_at: Date }>(
      'SELECT outcome, due_at FROM check_results WHERE check_id = $1 ORDER BY due_at',
      [id],
    )
    expect(rows.map(({ due_at }) => due_at)).toEqual((await eventsOf(id)).map(({ at }) => at))
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['pass']))
  })
})

it('events that come at once are stored together, each once and in its order, and those of no check are refused', async () => {
  const [one, other] = [await givenCheck(), await givenCheck()]
  const paths = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? other.path : one.path))
  const answers = await Promise.all([...paths, `/events/${crypto.randomUUID()}`].map((path) => send(path)))
  expect(answers.map(({ status }) => status)).toEqual([...paths.map(() => 200), 404])
  expect((await eventsOf(one.id)).length + (await eventsOf(other.id)).length).toBe(30)
  expect(await eventsOf(other.id)).toHaveLength(10)
  const times = (await eventsOf(one.id)).map(({ at }) => at.getTime())
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
})

describe('the token of a check', () => {
  it('may be chosen, but not that of another check, and is free again after a delete', async () => {
    const { id, token } = await givenCheck()
    const body = { name: 'Other', heartbeat: { ...secondsOf(60, 10), pingToken: token } }
    const refused = await call('POST', '/v1/checks/heartbeat', { body })
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.body['message']).toMatch(/^"heartbeat.pingToken" is the token of another check/)
    await call('DELETE', `/v1/checks/${id}`)
    expect((await call('POST', '/v1/checks/heartbeat', { body })).body['heartbeat']).toMatchObject({ pingToken: token })
  })

  it('stays when an update leaves it out or sends the whole answer back, and follows one that is sent', async () => {
    const { id, token, path, body } = await givenCheck()
    const update = async (sent: Json) =>
      (await call('PUT', `/v1/checks/heartbeat/${id}`, { body: sent })).body['heartbeat']
    expect(await update(body)).toMatchObject({ pingToken: token })
    expect(await update({ heartbeat: secondsOf(30, 0) })).toMatchObject({ pingToken: token })
    const other = crypto.randomUUID()
    expect(await update({ heartbeat: { ...secondsOf(30, 0), pingToken: other } })).toMatchObject({ pingToken: other })
    expect((await send(path)).status).toBe(404)
    expect((await send(`/events/${other}`)).status).toBe(200)
  })
})

describe('a change of the check', () => {
  it('restarts the wait when it waits for something else, or is switched on; a new name, address or unit does not', async () => {
    const { id, path } = await givenCheck()
    const update = (body: Json) => call('PUT', `/v1/checks/heartbeat/${id}`, { body })
    await send(path)
    const from = clock.now()
    await clock.advance(40_000)
    await update({ name: 'Nightly backup', heartbeat: { ...secondsOf(60, 10), pingToken: crypto.randomUUID() } })
    await update({ heartbeat: { period: 1, periodUnit: 'minutes', grace: 10_000 / 60_000, graceUnit: 'minutes' } })
    await clock.advance(31_000)
    expect(await outcomesOf(id, from)).toEqual([
      ['pass', 0],
      ['fail', 70_000],
    ])
    await update({ heartbeat: secondsOf(100, 0) })
    await clock.advance(60_000)
    await update({ activated: false })
    await clock.advance(200_000)
    expect(await statusOf(id)).toMatchObject({ state: 'paused' })
    await update({ activated: true })
    const activatedAt = clock.now()
    await clock.advance(101_000)
    expect((await outcomesOf(id, activatedAt)).slice(2)).toEqual([['fail', 100_000]])
  })

  it('that deletes it ends it: nobody decides about it any more', async () => {
    const { id, path } = await givenCheck()
    await send(path)
    await clock.advance(1000)
    await call('DELETE', `/v1/checks/${id}`)
    await clock.advance(200_000)
    const { rows } = await database.db.pool.query('SELECT outcome FROM check_results WHERE check_id = $1', [id])
    expect(rows).toEqual([{ outcome: 'pass' }])
  })
})

describe('a process that is killed', () => {
  it('between an event and its result, at any call to the database, neither loses nor doubles the result', async () => {
    await passive.server.parts.dispatch.stop()
    let [calls, wasStored] = [1, false]
    while (!wasStored) {
      calls++
      const { id, path } = await givenCheck()
      await send(path)
      const first = passive.startDecider()
      first.life.dieAfter(calls)
      await clock.advance(500)
      wasStored = first.life.alive
      first.life.die()
      const second = passive.startDecider()
      await clock.advance(takeoverMs)
      const [event] = await eventsOf(id)
      expect(await outcomesOf(id, event?.at.getTime() ?? 0), `killed at call ${calls}`).toEqual([['pass', 0]])
      await second.stop()
    }
    expect(calls).toBeGreaterThan(12)
    await passive.server.parts.dispatch.start()
  })

  it('when a wait has ended and its result is not stored, has the check wait anew: an event could have been missed', async () => {
    const { id, path } = await givenCheck()
    await send(path)
    await clock.advance(70_000)
    const { rows } = await database.db.pool.query<{ decided_to: Date }>(
      'SELECT decided_to FROM check_status WHERE check_id = $1',
      [id],
    )
    expect(rows[0]?.decided_to.getTime()).toBe(clock.now())
    await passive.restart()
    const gaps = await database.db.pool.query<{ to: Date }>('SELECT max(to_at) AS to FROM coverage_gaps')
    const restartedAt = gaps.rows[0]?.to.getTime() ?? 0
    await clock.advance(71_000)
    expect((await outcomesOf(id, restartedAt)).slice(1)).toEqual([['fail', 70_000]])
  })
})

describe('time in which nobody could hear an event', () => {
  it('is no silence: after the host slept the wait begins anew, whether an event or the timer is first', async () => {
    const [woken, silent] = [await givenCheck(), await givenCheck()]
    await send(woken.path)
    await send(silent.path)
    await clock.advance(1000)
    clock.jump(3_600_000)
    const wokenAt = clock.now()
    await send(woken.path)
    await clock.advance(69_000)
    for (const { id } of [woken, silent]) expect(await statusOf(id)).toMatchObject({ state: 'passing' })
    await clock.advance(1500)
    for (const { id } of [woken, silent]) {
      expect((await outcomesOf(id, wokenAt)).filter(([outcome]) => outcome === 'fail')).toEqual([['fail', 70_000]])
    }
    const gaps = await database.db.pool.query('SELECT reason FROM coverage_gaps WHERE to_at = $1', [new Date(wokenAt)])
    expect(gaps.rows).toEqual([{ reason: 'The server stood still.' }])
  })
})

describe('a server that does not lead', () => {
  it('decides nothing; whoever leads next decides about all that has arrived', async () => {
    const { id, path } = await givenCheck()
    await passive.server.parts.dispatch.stop()
    await send(path)
    const arrivedAt = clock.now()
    await clock.advance(2000)
    expect(await resultsOf(id)).toEqual([])
    await passive.server.parts.dispatch.start()
    await clock.advance(2000)
    expect(await outcomesOf(id, arrivedAt)).toEqual([['pass', 0]])
  })
})

describe('housekeeping', () => {
  it('drops events after 30 days, but the newest of each check', async () => {
    const { id, path } = await givenCheck()
    for (let sent = 0; sent < 3; sent++) await send(path)
    clock.jump(31 * 86_400_000)
    await passive.server.parts.housekeeping.start()
    await passive.server.parts.housekeeping.stop()
    expect(await eventsOf(id)).toHaveLength(1)
  })
})
