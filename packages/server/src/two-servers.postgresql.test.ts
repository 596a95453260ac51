import { randomUUID } from 'node:crypto'
import {
  agentPaths,
  agentProtocolVersion,
  sampleClientCertificate,
  systemClock,
  type Health,
  type Job,
} from '@vedette/wire'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseUrlOf, givenAccount, openTestDatabase } from '../test-support/database.ts'
import { givenKey } from '../test-support/http.ts'
import { reportOf } from '../test-support/reports.ts'
import { testVault } from '../test-support/vault.ts'
import { readConfig } from './config.ts'
import type { Database } from './db/database.ts'
import { openExternal } from './db/external.ts'
import { connectParts } from './parts.ts'

let shared: Database
let leader: Server
let standby: Server
let apiKey: string
/** Of an agent that may reach either server. */
let agentKey: string | undefined
const agentId = randomUUID()

beforeAll(async () => {
  shared = await openTestDatabase()
  apiKey = await givenKey(shared, await givenAccount(shared), 'admin')
  leader = await startServer()
  standby = await startServer()
  await until('one of them leads', () => leader.dispatch.isLeading())
})
afterAll(async () => {
  await standby.stop()
  await leader.stop()
  await shared.close()
})

type Server = Awaited<ReturnType<typeof startServer>>

/** A server without listener and agent, on a connection pool of its own. */
async function startServer() {
  const db = await openExternal(databaseUrlOf(shared))
  const parts = await connectParts({
    config: readConfig({ VEDETTE_EGRESS: 'trusted' }),
    log: pino({ level: 'silent' }),
    clock: systemClock,
    db,
    vault: testVault,
    account: { accountId: '', userId: '', apiKey: undefined, email: '' },
  })
  await parts.feed.start()
  await parts.dispatch.start()
  await parts.app.ready()
  agentKey ??= await parts.agents.keys.mintBuiltin(randomUUID())
  const key = agentKey
  const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body: object | undefined, key: string) => {
    const response = await parts.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { payload: body }),
    })
    const { statusCode: status, headers } = response
    return { status, retryAfter: headers['retry-after'], body: response.body === '' ? {} : response.json() }
  }
  return {
    ...parts,
    api: (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) => send(method, url, body, apiKey),
    agent: (path: keyof typeof agentPaths, body: object) => send('POST', agentPaths[path], { agentId, ...body }, key),
    async stop() {
      await parts.feed.stop()
      await parts.dispatch.stop()
      await parts.app.close()
      await parts.ingest.stop()
      await db.close()
    },
  }
}

/** Fails when it takes longer than a write through another server may. */
async function until(what: string, test: () => boolean): Promise<void> {
  const end = performance.now() + 2000
  while (!test()) {
    if (performance.now() > end) throw new Error(`Waited 2 s until ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const check = (name: string) => ({
  name,
  frequency: 1440,
  locations: ['eu-west-1'],
  request: { url: 'http://127.0.0.1:1/' },
})
const created = async (through: Server): Promise<string> => {
  const answer = await through.api('POST', '/v1/checks/api', check(randomUUID()))
  expect(answer.status).toBe(201)
  return answer.body.id
}
const hello = { protocol: agentProtocolVersion, version: '1', checkTypes: ['API'], capabilities: [], inFlight: [] }
const abilities = { ...hello, capacity: { network: 10 }, spooled: [] }
const lease = async (): Promise<Job[]> => (await leader.agent('lease', { free: { network: 10 }, waitMs: 0 })).body.jobs

it('what is written through the server that does not lead reaches the schedule of the one that does', async () => {
  const before = leader.dispatch.depth()
  const id = await created(standby)
  await until('the leader has the check and its first run', () => {
    const { scheduled, waiting } = leader.dispatch.depth()
    return scheduled > before.scheduled && waiting > before.waiting
  })
  expect(standby.dispatch.depth()).toMatchObject({ scheduled: 0, waiting: 0 })
  await standby.api('PUT', `/v1/checks/api/${id}`, { activated: false })
  await until('the leader has dropped the paused check', () => {
    const { scheduled, waiting } = leader.dispatch.depth()
    return scheduled === before.scheduled && waiting === before.waiting
  })
  await standby.api('PUT', `/v1/checks/api/${id}`, { activated: true })
  await until('it runs again', () => leader.dispatch.depth().waiting > before.waiting)
  await standby.api('DELETE', `/v1/checks/${id}`)
  await until('it is deleted', () => leader.dispatch.depth().scheduled === before.scheduled)
})

it('a run asked for through it is run by the leader', async () => {
  const id = await created(leader)
  await leader.agent('hello', abilities)
  await until('the first run waits', () => leader.dispatch.depth().waiting > 0)
  await lease()
  const answer = await standby.api('POST', `/v1/checks/${id}/run`)
  expect(answer.status).toBeLessThan(300)
  await until('the run asked for waits', () => leader.dispatch.depth().waiting > 0)
  expect((await lease()).map(({ attemptId }) => attemptId)).toEqual(answer.body.resultIds)
})

it('a session begun, awaited and cancelled through it is that of a run of the leader', async () => {
  const id = await created(leader)
  await leader.agent('hello', abilities)
  await until('the first run waits', () => leader.dispatch.depth().waiting > 0)
  await lease()
  const begin = async (): Promise<string> => {
    const { body } = await standby.api('POST', '/v2/check-sessions/trigger', { target: { checkId: [id] } })
    await until('its run waits', () => leader.dispatch.depth().waiting > 0)
    return body.sessions[0].checkSessionId
  }
  const completion = (session: string) =>
    standby.app.inject({
      url: `/v2/check-sessions/${session}/completion?maxWaitSeconds=30`,
      headers: { authorization: `Bearer ${apiKey}` },
    })
  const waiting = completion(await begin())
  const [job] = await lease()
  const from = performance.now()
  await leader.agent('results', { results: [reportOf(job!)] })
  expect((await waiting).json()).toMatchObject({ status: 'PASSED', results: [{ checkResultId: job?.attemptId }] })
  expect(performance.now() - from).toBeLessThan(2000)
  const cancelled = await begin()
  expect((await standby.api('POST', `/v2/check-sessions/${cancelled}/cancel`, {})).status).toBe(204)
  await until('the leader hands it out no more', () => leader.dispatch.depth().waiting === 0)
  expect((await completion(cancelled)).json()).toMatchObject({ status: 'CANCELLED' })
})

it('it answers agents and dry runs that another server has the runs, and when to ask again', async () => {
  const calls = await Promise.all([
    standby.agent('hello', abilities),
    standby.agent('lease', { free: { network: 1 }, waitMs: 0 }),
    standby.agent('renew', { leases: [], vitals: { eventLoopLagMs: 1, residentMb: 1, running: 0, spooled: 0 } }),
    standby.agent('goodbye', {}),
    standby.api('POST', '/v1/checks/api/dry-run', check('tried')),
  ])
  expect(calls.map(({ status, retryAfter }) => [status, retryAfter])).toEqual(calls.map(() => [503, '1']))
})

it('it takes no results: the leader would not hear of them', async () => {
  const id = await created(leader)
  await until('its run waits', () => leader.dispatch.depth().waiting > 0)
  const job = (await lease()).find(({ checkId }) => checkId === id)
  const results = { results: [reportOf(job!)] }
  const refused = await standby.agent('results', results)
  expect([refused.status, refused.retryAfter]).toEqual([503, '1'])
  expect((await leader.agent('results', results)).body.accepted).toEqual([job?.attemptId])
})

it('a variable changed through it is in the next run', async () => {
  const key = `HOST_${randomUUID().slice(0, 8)}`
  await leader.api('POST', '/v1/variables', { key, value: 'one' })
  const answer = await leader.api('POST', '/v1/checks/api', {
    ...check('with a variable'),
    request: { url: `http://{{${key}}}/` },
  })
  const run = async (): Promise<string | undefined> => {
    const { body } = await leader.api('POST', `/v1/checks/${answer.body.id}/run`)
    for (;;) {
      const job = (await lease()).find(({ attemptId }) => body.resultIds.includes(attemptId))
      if (job !== undefined) return job.variables[0]?.value
    }
  }
  expect(await run()).toBe('one')
  await standby.api('PUT', `/v1/variables/${key}`, { value: 'two' })
  const from = performance.now()
  while ((await run()) !== 'two') expect(performance.now() - from).toBeLessThan(2000)
})

it('a client certificate made and deleted through it is in the next run, and no more', async () => {
  const answer = await leader.api('POST', '/v1/checks/api', check('with a certificate'))
  const hosts = async (): Promise<string | undefined> => {
    const { body } = await leader.api('POST', `/v1/checks/${answer.body.id}/run`)
    for (;;) {
      const job = (await lease()).find(({ attemptId }) => body.resultIds.includes(attemptId))
      if (job !== undefined) return job.clientCertificates?.map(({ host }) => host).join()
    }
  }
  expect(await hosts()).toBeUndefined()
  const soon = async (expected: string | undefined) => {
    const from = performance.now()
    while ((await hosts()) !== expected) expect(performance.now() - from).toBeLessThan(2000)
  }
  const made = await standby.api('POST', '/v1/client-certificates', sampleClientCertificate)
  await soon(sampleClientCertificate.host)
  await standby.api('DELETE', `/v1/client-certificates/${made.body.id}`)
  await soon(undefined)
})

it('requests to it count for the limit of the leader', async () => {
  const key = await givenKey(shared, await givenAccount(shared), 'read')
  const codes = async ({ app }: Server, times: number) => {
    const answers = []
    for (let n = 0; n < times; n++) {
      answers.push(await app.inject({ url: '/v1/alert-channel-kinds', headers: { authorization: `Bearer ${key}` } }))
      // Injected requests need no turn of the event loop, and timers would wait for the last of them.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return answers.map(({ statusCode }) => statusCode)
  }
  expect(new Set(await codes(standby, 600))).toEqual(new Set([200]))
  const from = performance.now()
  let asked = 0
  for (; (await codes(leader, 1))[0] === 200; asked++) expect(performance.now() - from).toBeLessThan(5000)
  expect(asked).toBeLessThan(600)
})

it('the server that does not lead answers with what the leader knows of their health', async () => {
  const health = async () => {
    const { body } = await standby.app.inject({ url: '/v1/health', headers: { authorization: `Bearer ${apiKey}` } })
    return JSON.parse(body) as Health
  }
  const both = [leader, standby]
  await standby.health.start()
  expect((await health()).troubles.map(({ code }) => code)).toContain('LEADER_NOT_HEARD')
  await leader.health.start()
  await leader.signal.start()
  await standby.signal.start()
  // Its second look has seen the lease renewed.
  while ((await health()).role !== 'standby') await new Promise((resolve) => setTimeout(resolve, 100))
  const answer = await health()
  expect(answer).toMatchObject({ role: 'standby', facts: { lastTickSeconds: expect.any(Number) as number } })
  expect(answer.troubles.map(({ code }) => code)).not.toContain('LEADER_NOT_HEARD')
  for (const { signal, health: watch } of both) {
    await signal.stop()
    await watch.stop()
  }
})

it('a leader whose term is over stores nothing more', async () => {
  const id = await created(leader)
  await until('its run waits', () => leader.dispatch.depth().waiting > 0)
  const job = (await lease()).find(({ checkId }) => checkId === id)
  await shared.pool.query('UPDATE leadership SET epoch = epoch + 1')
  const answer = await leader.agent('results', { results: [reportOf(job!)] })
  expect(answer.body.accepted ?? []).toEqual([])
  const { rows } = await shared.pool.query('SELECT 1 FROM check_results WHERE check_id = $1', [id])
  expect(rows).toEqual([])
})
