import { randomUUID } from 'node:crypto'
import type { HeartbeatAvailability, HeartbeatEvent, HeartbeatEvents, HeartbeatTimer } from '@vedette/wire'
import { beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { givenKey } from '../../../test-support/http.ts'
import { secondsOf, takeoverMs, usePassiveServer } from '../../../test-support/passive-server.ts'

const database = useDatabase()
const passive = usePassiveServer(database)
const { clock } = passive
const hourMs = 3_600_000
let [account, key] = ['', '']

beforeEach(async () => {
  await clock.advance(takeoverMs)
  account = await givenAccount(database.db)
  key = await givenKey(database.db, account, 'admin')
})

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const answering = passive.server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload && { payload }),
  })
  const response = await answering
  return { status: response.statusCode, body: response.body === '' ? {} : response.json<Record<string, unknown>>() }
}

/** A check that fails when no ping arrives within 70 seconds. */
async function givenHeartbeat() {
  const made = await call('POST', '/v1/checks/heartbeat', { name: 'Backup', heartbeat: secondsOf(60, 10) })
  expect(made.status).toBe(201)
  const id = String(made.body['id'])
  const { pingUrl } = made.body['heartbeat'] as { pingUrl: string }
  await clock.advance(1000)
  const read = async <T>(end: string) => (await call('GET', `/v1/checks/heartbeats/${id}/${end}`)).body as T
  return {
    id,
    /** A ping arrives, and is decided about. */
    async ping(headers: Record<string, string> = {}) {
      await passive.server.app.inject({ method: 'POST', url: new URL(pingUrl).pathname, headers })
      const at = clock.now()
      await clock.advance(500)
      return at
    },
    put: (body: object) => call('PUT', `/v1/checks/heartbeat/${id}`, body),
    events: (query = '') => read<HeartbeatEvents>(`events${query}`),
    availability: (query = '') => read<HeartbeatAvailability>(`availability${query}`),
    timer: () => read<HeartbeatTimer>('timer'),
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
const told = (events: readonly HeartbeatEvent[]) => events.map(({ state, timestamp }) => [state, timestamp])

describe('the events of a heartbeat', () => {
  it('are its pings in all their states and its failures, newest first', async () => {
    const check = await givenHeartbeat()
    const times = [await check.ping()]
    for (const waitMs of [30_000, 60_000, 66_000, 75_000]) {
      await clock.advance(waitMs - 500)
      times.push(await check.ping())
    }
    const [first = 0, early = 0, received = 0, grace = 0, late = 0] = times
    expect(told((await check.events()).events)).toEqual([
      ['LATE', iso(late)],
      ['FAILING', iso(grace + 70_000)],
      ['GRACE', iso(grace)],
      ['RECEIVED', iso(received)],
      ['EARLY', iso(early)],
      ['RECEIVED', iso(first)],
    ])
  })

  it('say who sent them: by origin, else by referrer', async () => {
    const check = await givenHeartbeat()
    await check.ping({ origin: 'https://ci.example', referer: 'https://ci.example/job', 'user-agent': 'job/1' })
    await check.ping({ referer: 'https://ci.example/job', 'user-agent': '' })
    await check.ping({ 'user-agent': 'Slackbot-LinkExpanding 1.0' })
    expect((await check.events()).events.map(({ source, userAgent }) => [source, userAgent])).toEqual([
      ['https://ci.example/job', null],
      ['https://ci.example', 'job/1'],
    ])
  })

  it('are found by time and number, and each by its id, as which its result is known too', async () => {
    const check = await givenHeartbeat()
    const at: number[] = []
    for (let sent = 0; sent < 11; sent++) at.push(await check.ping())
    const { events, stats } = await check.events()
    expect(events).toHaveLength(10)
    expect((await check.events('?limit=1')).events).toEqual(events.slice(0, 1))
    const [from, to] = [iso(at[2] ?? 0), iso(at[4] ?? 0)]
    expect(told((await check.events(`?startTime=${from}&endTime=${to}`)).events)).toEqual([
      ['EARLY', iso(at[3] ?? 0)],
      ['EARLY', iso(at[2] ?? 0)],
    ])
    const path = `/v1/checks/heartbeats/${check.id}/events`
    expect((await call('GET', `${path}/${events[0]?.id}`)).body).toEqual({ event: events[0], stats })
    const result = await call('GET', `/v1/check-results/${check.id}/${events[0]?.id}`)
    expect(result.body).toMatchObject({ heartbeatCheckResult: { state: 'EARLY' }, runLocation: null })
    expect((await call('GET', `${path}/${randomUUID()}`)).status).toBe(404)
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=11', 'limit'],
    ['startTime=soon', 'startTime'],
    ['startTime=200&endTime=100', 'startTime'],
    ['page=2', 'page'],
  ])('are not listed with %s', async (query, field) => {
    const { id } = await givenHeartbeat()
    expect(await call('GET', `/v1/checks/heartbeats/${id}/events?${query}`)).toMatchObject({
      status: 400,
      body: { validation: { source: 'query', keys: [field] } },
    })
  })
})

describe('the availability of a heartbeat', () => {
  it('is the part of its events that are pings, now and in the time before', async () => {
    const check = await givenHeartbeat()
    await check.ping()
    await clock.advance(80_000)
    const between = await check.ping()
    await clock.advance(60_000)
    await check.ping()
    const of = { successRatio: { previousPeriod: 2 / 3, currentPeriod: 1 }, totalEntitiesCurrentPeriod: 1 }
    const to = between + 1 + 2 * hourMs
    expect(await check.availability(`?startTime=${iso(between + 1)}&endTime=${iso(to)}`)).toEqual(of)
    const whole = { successRatio: { currentPeriod: 3 / 4 }, totalEntitiesCurrentPeriod: 4 }
    expect(await check.availability()).toEqual(whole)
    expect((await check.events()).stats).toEqual({ last24Hours: whole, last7Days: whole })
  })

  it('has no ratio where nothing happened', async () => {
    const check = await givenHeartbeat()
    expect(await check.availability()).toEqual({ successRatio: {}, totalEntitiesCurrentPeriod: 0 })
    const { status, body } = await call('GET', `/v1/checks/heartbeats/${check.id}/availability?startTime=5&endTime=5`)
    expect([status, body['message']]).toEqual([400, '"startTime" must be before "endTime" (5000), got 5000'])
  })
})

describe('the timer of a heartbeat', () => {
  it('begins with the first ping, and anew with each ping and each failure', async () => {
    const check = await givenHeartbeat()
    expect(await check.timer()).toEqual({ lastPingAt: null, expectedAt: null, deadlineAt: null })
    const at = await check.ping()
    const from = (start: number) => ({
      lastPingAt: iso(at),
      expectedAt: iso(start + 60_000),
      deadlineAt: iso(start + 70_000),
    })
    expect(await check.timer()).toEqual(from(at))
    await clock.advance(70_000)
    expect(await check.timer()).toEqual(from(at + 70_000))
    const again = await check.ping()
    expect(await check.timer()).toEqual({ ...from(again), lastPingAt: iso(again) })
  })

  it('begins anew when period or grace change and when it is switched on, and not with other changes', async () => {
    const check = await givenHeartbeat()
    const at = await check.ping()
    await clock.advance(20_000)
    const { body } = await check.put({ name: 'Nightly backup', tags: ['night'] })
    await check.put(body)
    expect((await check.timer()).deadlineAt).toBe(iso(at + 70_000))
    await check.put({ heartbeat: secondsOf(60, 20) })
    expect((await check.timer()).deadlineAt).toBe(iso(clock.now() + 80_000))
    await check.put({ activated: false })
    expect(await check.timer()).toEqual({ lastPingAt: iso(at), expectedAt: null, deadlineAt: null })
    await clock.advance(300_000)
    await check.put({ activated: true })
    const activatedAt = clock.now()
    expect((await check.timer()).deadlineAt).toBe(iso(activatedAt + 80_000))
    await clock.advance(81_000)
    expect(told((await check.events()).events)).toEqual([
      ['FAILING', iso(activatedAt + 80_000)],
      ['RECEIVED', iso(at)],
    ])
  })

  it('is the one by which the check fails, also after a restart across the deadline', async () => {
    const [silent, pinged] = [await givenHeartbeat(), await givenHeartbeat()]
    await silent.ping()
    await pinged.ping()
    await clock.advance(60_000)
    await passive.server.crash()
    clock.jump(20_000)
    await passive.start()
    await clock.advance(takeoverMs)
    await clock.advance(24_000)
    const { deadlineAt } = await silent.timer()
    await pinged.ping()
    await clock.advance(100_000)
    expect(told((await silent.events()).events)[0]).toEqual(['FAILING', deadlineAt])
    expect((await pinged.events()).events.map(({ state }) => state)).toEqual(['FAILING', 'LATE', 'RECEIVED'])
  })

  it('is exact after a restart that was over before: the deadline does not move with the start', async () => {
    const check = await givenHeartbeat()
    await passive.restart()
    const at = await check.ping()
    await clock.advance(100_000)
    expect(told((await check.events()).events)).toEqual([
      ['FAILING', iso(at + 70_000)],
      ['RECEIVED', iso(at)],
    ])
  })
})

it('a check that is no heartbeat, one that was deleted and one of others has neither events nor a timer', async () => {
  const tcp = await call('POST', '/v1/checks/tcp', { name: 'TCP', request: { hostname: 'db.example', port: 5432 } })
  const { id: deleted } = await givenHeartbeat()
  await call('DELETE', `/v1/checks/${deleted}`)
  const { id: mine } = await givenHeartbeat()
  const [own, stranger] = [key, await givenKey(database.db, await givenAccount(database.db), 'admin')]
  for (const [id, as] of [
    [String(tcp.body['id']), own],
    [deleted, own],
    [mine, stranger],
    [randomUUID(), own],
  ] as const) {
    key = as
    for (const end of ['availability', 'events', 'timer', `events/${randomUUID()}`]) {
      const { status, body } = await call('GET', `/v1/checks/heartbeats/${id}/${end}`)
      expect([status, body['message']], end).toEqual([404, 'No such heartbeat check.'])
    }
  }
})
