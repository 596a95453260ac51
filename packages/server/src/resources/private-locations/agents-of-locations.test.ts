import { agentPathsV1, agentProtocolV1, agentProtocolVersion, privateLocationId, type Job } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryAssets } from '../../../test-support/assets.ts'
import { agentsOfPrivateLocations } from '../../agents/index.ts'
import { LocationSampler } from '../../locations/location-sampler.ts'
import { Housekeeping } from '../../operations/housekeeping.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../../test-support/plane.ts'
import { reportOf } from '../../../test-support/reports.ts'

const database = useEmptiedDatabase()
let plane: Plane
let api: TestApi
let sampler: LocationSampler

const samplerOf = ({ clock, dispatch, agents }: Plane) =>
  new LocationSampler({
    clock,
    log: { error: (details) => expect.fail(JSON.stringify(details)) },
    isLeading: () => dispatch.isLeading(),
    write: (work) => dispatch.write(work),
    waiting: () => dispatch.waitingAt(),
    agents: () => agentsOfPrivateLocations(agents),
  })

const apiOf = (seen: () => ReturnType<typeof agentsOfPrivateLocations> | undefined) =>
  givenApi(database.db, {
    hooks: { locationsChanged: () => plane.agents.keys.forget() },
    deps: { clock: plane.clock, agentsSeen: seen },
  })

beforeEach(async () => {
  await forgetChecks(database.db)
  plane = await givenPlane(database.db)
  api = await apiOf(() => agentsOfPrivateLocations(plane.agents))
  sampler = samplerOf(plane)
  sampler.start()
})
afterEach(async () => {
  await sampler.stop()
  await plane.stop()
  await api.app.close()
})

interface Office {
  path: string
  location: ReturnType<typeof privateLocationId>
  keyId: string
  rawKey: string
}

async function givenOffice(slugName = 'office'): Promise<Office> {
  const { body } = await api.call('POST', '/v1/private-locations', { body: { name: 'Office', slugName } })
  const [{ id: keyId, rawKey }] = body['keys'] as [{ id: string; rawKey: string }]
  const id = String(body['id'])
  return { path: `/v1/private-locations/${id}`, location: privateLocationId(id), keyId, rawKey }
}

/** An agent with a second key of the same location. */
async function givenSuccessor({ path }: Office): Promise<TestAgent> {
  const { body } = await api.call('POST', `${path}/keys`)
  return new TestAgent(plane, String(body['rawKey']))
}

async function runAt({ location }: Office): Promise<string> {
  const definition = { locations: null, privateLocations: [location] }
  const { id } = await givenCheck(plane, { accountId: api.accountId, definition })
  await plane.dispatch.checkChanged(id)
  await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  return id
}

const read = async ({ path }: Office, by = api) => (await by.call('GET', `${path}?versions=true`)).body
const now = () => new Date(plane.clock.now()).toISOString()

describe('the keys of a private location', () => {
  test('let agents in at once, and refuse them at once when they are deleted', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    expect((await agent.hello()).body['locations']).toEqual(['office'])
    const second = await api.call('POST', `${office.path}/keys`)
    const other = new TestAgent(plane, String(second.body['rawKey']))
    expect((await other.hello()).status).toBe(200)
    await api.call('DELETE', `${office.path}/keys/${office.keyId}`)
    expect((await agent.hello()).status).toBe(401)
    expect((await other.hello()).status).toBe(200)
  })

  test('that are deleted during a long poll get no run by it', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    await agent.hello()
    const polling = agent.post('lease', { free: { network: 1 }, waitMs: 20_000 })
    await plane.clock.advance(100)
    const { body } = await api.call('POST', `${office.path}/keys`)
    await api.call('DELETE', `${office.path}/keys/${office.keyId}`)
    const check = await runAt(office)
    expect((await polling).status).toBe(401)
    const jobs = await new TestAgent(plane, String(body['rawKey'])).lease()
    expect(jobs.map(({ checkId }) => checkId)).toEqual([check])
  })

  test('leave no run behind when they are deleted: another agent has it at once, and only its result counts', async () => {
    const office = await givenOffice()
    const [old, next] = [new TestAgent(plane, office.rawKey), await givenSuccessor(office)]
    await old.hello()
    await next.hello()
    const check = await runAt(office)
    const [job] = await old.lease()
    expect(await next.lease()).toEqual([])
    const polling = next.post('lease', { free: { network: 1 }, waitMs: 20_000 })
    await plane.clock.advance(100)
    await api.call('DELETE', `${office.path}/keys/${office.keyId}`)
    const [taken] = (await polling).body['jobs'] as [Job]
    expect([taken.attemptId, taken.checkId]).toEqual([job?.attemptId, check])
    expect((await old.report(plane.clock, reportOf(job!))).status).toBe(401)
    expect((await next.report(plane.clock, reportOf(job!))).body['rejected']).toHaveLength(1)
    expect((await next.report(plane.clock, reportOf(taken))).body['accepted']).toEqual([taken.attemptId])
    const { rows } = await database.db.pool.query('SELECT outcome FROM check_results WHERE check_id = $1', [check])
    expect(rows).toEqual([{ outcome: 'pass' }])
  })

  test('can be changed without a gap: no tick is lost between the old agent and the new one', async () => {
    const office = await givenOffice()
    const old = new TestAgent(plane, office.rawKey)
    await old.hello()
    const everyTenSeconds = { frequency: 0, frequencyOffset: 10 }
    const definition = { ...everyTenSeconds, locations: null, privateLocations: [office.location] }
    const { id } = await givenCheck(plane, { accountId: api.accountId, definition })
    await plane.dispatch.checkChanged(id)
    const serve = async (agents: readonly TestAgent[], forMs: number) => {
      for (const end = plane.clock.now() + forMs; plane.clock.now() < end;) {
        await plane.clock.advance(500)
        for (const agent of agents)
          for (const job of (await agent.lease()) ?? []) await agent.report(plane.clock, reportOf(job))
      }
    }
    await serve([old], 40_000)
    const next = await givenSuccessor(office)
    await next.hello()
    await serve([next, old], 40_000)
    await api.call('DELETE', `${office.path}/keys/${office.keyId}`)
    expect((await old.hello()).status).toBe(401)
    await serve([next], 40_000)
    const { rows } = await database.db.pool.query<{ outcome: string; due_at: Date }>(
      'SELECT outcome, due_at FROM check_results WHERE check_id = $1 ORDER BY due_at',
      [id],
    )
    expect(rows.length).toBeGreaterThan(9)
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['pass']))
    const steps = rows.slice(1).map(({ due_at: at }, n) => at.getTime() - (rows[n]?.due_at.getTime() ?? 0))
    expect(new Set(steps)).toEqual(new Set([10_000]))
  })

  test('are void while their location is deleted', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    await agent.hello()
    await api.call('DELETE', office.path)
    expect((await agent.hello()).status).toBe(401)
    await api.call('POST', `${office.path}/restore`)
    expect((await agent.hello()).status).toBe(200)
  })

  test('are the only ones: an API key of the account is no key of its agents', async () => {
    await givenOffice()
    expect((await new TestAgent(plane, api.keys.admin).hello()).status).toBe(401)
  })
})

describe('what is known of the agents of a private location', () => {
  test('is how many there are, of which version, and when one was last heard of', async () => {
    const office = await givenOffice()
    const none = { lastSeen: null, available: false, agentCount: 0, minAgentVersion: null, runningAgents: [] }
    expect(await read(office)).toMatchObject(none)
    const agents = [new TestAgent(plane, office.rawKey), new TestAgent(plane, office.rawKey)]
    for (const agent of agents) await agent.hello()
    const old = new TestAgent(plane, office.rawKey, agentPathsV1)
    await old.post('hello', {
      protocol: agentProtocolV1,
      version: '0.9',
      checkTypes: ['API'],
      capabilities: [],
      capacity: { network: 1 },
      inFlight: [],
      spooled: [],
    })
    const unsaid = { capabilities: [], running: null, slots: 1 }
    const shown = agents.map(({ agentId }) => ({ id: agentId, lastSeenAt: now(), ...unsaid, slots: 100 }))
    expect(await read(office)).toMatchObject({
      lastSeen: now(),
      available: true,
      agentCount: 3,
      minAgentVersion: '0.9',
      runningAgents: [
        { version: '1', isOutdated: false, count: 2, agents: expect.arrayContaining(shown) },
        { version: '0.9', isOutdated: true, count: 1, agents: [{ id: old.agentId, lastSeenAt: now(), ...unsaid }] },
      ],
    })
    const { list } = await api.call('GET', '/v1/private-locations')
    expect(list).toMatchObject([{ agentCount: 3, lastSeen: now() }])
    expect(list[0]).not.toHaveProperty('runningAgents')
  })

  test('is what each can do and how busy it is, on every server', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    await agent.post('hello', {
      protocol: agentProtocolVersion,
      version: '1.10.0',
      checkTypes: ['ICMP'],
      capabilities: ['ping', 'traceroute'],
      capacity: { network: 40, browser: 2 },
      inFlight: [],
      spooled: [],
    })
    await agent.renew([])
    const told = { id: agent.agentId, capabilities: ['ping', 'traceroute'], running: 2, slots: 42 }
    expect(await read(office)).toMatchObject({ runningAgents: [{ version: '1.10.0', agents: [told] }] })
    await plane.clock.advance(60_000)
    const standby = await apiOf(() => undefined)
    const { body } = await standby.call('GET', `${office.path}?versions=true`, { key: api.keys.read })
    expect(body).toMatchObject({ minAgentVersion: '1.10.0', runningAgents: [{ agents: [told] }] })
  })

  test('is of its own agents only, and of those that are let in', async () => {
    const [office, attic] = [await givenOffice(), await givenOffice('attic')]
    await new TestAgent(plane, office.rawKey).hello()
    expect((await read(attic))['agentCount']).toBe(0)
    expect((await read(office))['agentCount']).toBe(1)
    await api.call('DELETE', `${office.path}/keys/${office.keyId}`)
    expect(await read(office)).toMatchObject({ agentCount: 0, runningAgents: [], lastSeen: now() })
  })

  test('outlasts an agent that went away, and a restart', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    await agent.hello()
    const heard = now()
    await plane.clock.advance(60_000)
    await agent.post('goodbye', {})
    expect(await read(office)).toMatchObject({ lastSeen: heard, agentCount: 0 })
    const afterRestart = await apiOf(() => [])
    const answer = await afterRestart.call('GET', office.path, { key: api.keys.read })
    expect(answer.body).toMatchObject({ lastSeen: heard, agentCount: 0 })
  })

  test('is known to a server that does not lead, within a minute or two', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    const standby = await apiOf(() => undefined)
    const seen = async () => (await standby.call('GET', office.path, { key: api.keys.read })).body
    for (let at = 0; at < 4; at++) {
      await agent.hello()
      await plane.clock.advance(20_000)
    }
    expect(await seen()).toMatchObject({ agentCount: 1 })
    await plane.clock.advance(180_000)
    expect(await seen()).toMatchObject({ agentCount: 0, lastSeen: expect.any(String) })
  })
})

describe('the proxy of a private location', () => {
  test('reaches its agents with the variables it names, changed from the next run on', async () => {
    const office = await givenOffice()
    const agent = new TestAgent(plane, office.rawKey)
    await agent.hello()
    const leased = async () => {
      await runAt(office)
      const [job] = await agent.lease()
      return job
    }
    expect(await leased()).not.toHaveProperty('proxy')
    await api.call('POST', '/v1/variables', { body: { key: 'PROXY_PASSWORD', value: 'hush', secret: true } })
    await api.call('POST', '/v1/variables', { body: { key: 'UNUSED', value: 'x' } })
    const proxyUrl = 'http://ann:{{PROXY_PASSWORD}}@proxy.example:3128'
    await api.call('PUT', office.path, { body: { name: 'Office', proxyUrl } })
    plane.agents.jobs.variables.forget(api.accountId)
    expect(await leased()).toMatchObject({
      proxy: proxyUrl,
      variables: [{ key: 'PROXY_PASSWORD', value: 'hush', secret: true }],
    })
    await api.call('PUT', office.path, { body: { name: 'Office', proxyUrl: null } })
    const job = await leased()
    expect(job).toBeDefined()
    expect(job).not.toHaveProperty('proxy')
  })
})

describe('the metrics of a private location', () => {
  const metrics = async ({ path }: Office, from: number, to = plane.clock.now() + 1) =>
    api.call('GET', `${path}/metrics?from=${from / 1000}&to=${to / 1000}`)

  test('tell once a minute how many runs wait and how long the oldest has waited', async () => {
    const office = await givenOffice()
    await new TestAgent(plane, office.rawKey).hello()
    const from = plane.clock.now()
    await plane.clock.advance(40_000)
    await runAt(office)
    await runAt(office)
    await plane.clock.advance(80_000)
    const { body } = await metrics(office, from)
    expect(body).toEqual({
      timestamps: [60_000, 120_000].map((ms) => new Date(from + ms).toISOString()),
      queueSize: [2, 2],
      oldestScheduledCheckRun: [20, 80],
    })
    expect((await metrics(office, from, from + 120_000)).body).toMatchObject({ queueSize: [2] })
    const quiet = await givenOffice('quiet')
    await plane.clock.advance(60_000)
    expect((await metrics(quiet, from)).body).toMatchObject({ queueSize: [0], oldestScheduledCheckRun: [0] })
  })

  test('are kept for fifteen days', async () => {
    const office = await givenOffice()
    const from = plane.clock.now()
    await plane.clock.advance(120_000)
    const later = new Housekeeping({
      db: database.db,
      assets: memoryAssets(),
      clock: { monotonic: () => 0, now: () => from + 60_001 + 15 * 86_400_000, after: () => () => undefined },
      log: { info: () => undefined, error: (details) => expect.fail(JSON.stringify(details)) },
    })
    await later.start()
    await later.stop()
    expect((await metrics(office, from)).body['timestamps']).toEqual([new Date(from + 120_000).toISOString()])
  })

  test('need a range of time', async () => {
    const { path } = await givenOffice()
    const message = async (query: string) => (await api.call('GET', `${path}/metrics?${query}`)).body['message']
    expect(await message('to=1767614400')).toBe('"from" is required')
    expect(await message('from=1767614400')).toBe('"to" is required')
    expect(await message('from=1767614400&to=1767614400')).toBe(
      '"to" must be later than from, got 2026-01-05T12:00:00.000Z',
    )
    expect(await message('from=soon&to=1')).toBe(
      '"from" must be a UNIX timestamp in seconds or an ISO 8601 date, got "soon"',
    )
  })
})
