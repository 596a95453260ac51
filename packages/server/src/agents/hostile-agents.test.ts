import { randomUUID } from 'node:crypto'
import { agentPaths, agentProtocolVersion, type Job, type PrivateLocationId } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LocationSampler } from '../locations/location-sampler.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { givenPrivateKey, givenPrivateLocation } from '../../test-support/private-locations.ts'
import { reportOf } from '../../test-support/reports.ts'
import { resultsBodyLimit } from './protocol-body.ts'
import { agentsOfPrivateLocations } from './private-agents.ts'

// What an agent with a valid key of one location can do to others, and to the server.

const database = useEmptiedDatabase()
let plane: Plane

beforeEach(async () => {
  await forgetChecks(database.db)
  plane = await givenPlane(database.db)
})
afterEach(() => plane.stop())

interface Office {
  accountId: string
  location: PrivateLocationId
  key: string
  agent: TestAgent
  run(): Promise<Job>
}

async function givenOffice(accountId?: string): Promise<Office> {
  const account = accountId ?? (await givenAccount(database.db))
  const slug = `office-${randomUUID().slice(0, 8)}`
  const location = await givenPrivateLocation(database.db, account, slug)
  const key = await givenPrivateKey(database.db, { accountId: account, location, slug })
  plane.agents.keys.forget()
  const agent = new TestAgent(plane, key)
  return {
    accountId: account,
    location,
    key,
    agent,
    async run() {
      await agent.hello()
      const definition = { locations: null, privateLocations: [location] }
      const { id } = await givenCheck(plane, { accountId: account, definition })
      await plane.dispatch.checkChanged(id)
      await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
      await plane.clock.advance(0)
      const [job] = await agent.lease()
      if (job === undefined) throw new Error('There is no job.')
      return job
    },
  }
}

const hello = {
  protocol: agentProtocolVersion,
  version: '1',
  checkTypes: ['API'],
  capabilities: [],
  capacity: { network: 1 },
  inFlight: [],
  spooled: [],
}

describe('with leases of another location', () => {
  test.each(['of another account', 'of the same account'])(
    '%s an agent can neither report, renew nor give back',
    async (whose) => {
      const mine = await givenOffice()
      const theirs = await givenOffice(whose === 'of the same account' ? mine.accountId : undefined)
      const job = await theirs.run()
      const { body } = await mine.agent.report(plane.clock, reportOf(job))
      expect(body).toMatchObject({ accepted: [], rejected: [{ attemptId: job.attemptId }] })
      await mine.agent.post('release', { leases: [job.lease] })
      expect(await new TestAgent(plane, theirs.key).lease()).toEqual([])
      await plane.clock.advance(20_000)
      await mine.agent.renew([job.lease])
      await plane.clock.advance(15_000)
      // Only its own agent could have kept the lease.
      expect(plane.dispatch.leasedAt().get(theirs.location)).toBeUndefined()
    },
  )

  test('that it names in its hello, it takes nothing from them', async () => {
    const [mine, theirs] = [await givenOffice(), await givenOffice()]
    const job = await theirs.run()
    await mine.agent.post('hello', { ...hello, inFlight: [job.attemptId], spooled: [job.attemptId] })
    expect((await theirs.agent.renew([job.lease])).body['cancelled']).toEqual([])
    expect((await theirs.agent.report(plane.clock, reportOf(job))).body['accepted']).toEqual([job.attemptId])
  })
})

describe('with a result that it sends again', () => {
  test('later, changed, an agent changes nothing of the first', async () => {
    const office = await givenOffice()
    const { agent } = office
    const job = await office.run()
    await agent.report(plane.clock, reportOf(job))
    const changed = reportOf(job, { responseMs: 9999, replayed: true })
    await plane.clock.advance(120_000)
    expect((await agent.report(plane.clock, changed, changed)).status).toBe(200)
    const { rows } = await database.db.pool.query('SELECT response_ms FROM check_results WHERE check_id = $1', [
      job.checkId,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).not.toEqual({ response_ms: 9999 })
  })
})

describe('with messages that are none', () => {
  const post = (path: string, payload: string | Buffer, headers: Record<string, string>) =>
    plane.app.inject({ method: 'POST', url: path, headers, payload })

  test('an agent is told which field is wrong, and is not seen by them', async () => {
    const { agent } = await givenOffice()
    const ids = Array.from({ length: 10_001 }, () => randomUUID())
    const refused: [keyof typeof agentPaths, Record<string, unknown>, string][] = [
      ['hello', { ...hello, inFlight: ids }, 'inFlight'],
      ['hello', { ...hello, inFlight: ['not an id'] }, 'inFlight'],
      ['hello', { ...hello, version: 'x'.repeat(101) }, 'version'],
      ['hello', { ...hello, capabilities: Array.from({ length: 101 }, () => 'ping') }, 'capabilities'],
      ['hello', { ...hello, capacity: { network: 1e9 } }, 'capacity'],
      ['hello', { ...hello, agentId: 'me' }, 'agentId'],
      ['lease', { free: { network: 1e9 }, waitMs: 0 }, 'free'],
      ['lease', { free: {}, waitMs: 1e9 }, 'waitMs'],
      ['renew', { leases: [], vitals: { running: -1 } }, 'vitals'],
      ['results', { results: [] }, 'results'],
      ['results', { results: Array.from({ length: 201 }, () => ({})) }, 'results'],
      ['release', { leases: ['x'.repeat(2001)] }, 'leases'],
    ]
    for (const [path, body, field] of refused) {
      const answer = await agent.post(path, body)
      expect([path, answer.status, String(answer.body['message'])]).toEqual([path, 400, expect.stringContaining(field)])
    }
    expect(plane.agents.presence.list()).toEqual([])
  })

  test('too long or of another kind, an agent is refused before they are read', async () => {
    const { key } = await givenOffice()
    const authorization = `Bearer ${key}`
    const json = { authorization, 'content-type': 'application/json' }
    const long = Buffer.alloc(resultsBodyLimit + 1, 32)
    expect((await post(agentPaths.results, long, json)).statusCode).toBe(413)
    expect((await post(agentPaths.hello, Buffer.alloc(2 * 1024 * 1024, 32), json)).statusCode).toBe(413)
    expect((await post(agentPaths.results, '{}', { authorization, 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await post(agentPaths.results, '{"__proto__":{"agentId":1}}', json)).statusCode).toBe(400)
  })
})

describe('with absurd words about itself', () => {
  test('an agent keeps nothing from being written down of the others', async () => {
    const [bad, good] = [await givenOffice(), await givenOffice()]
    const problems: unknown[] = []
    const sampler = new LocationSampler({
      clock: plane.clock,
      log: { error: (details) => problems.push(details) },
      isLeading: () => true,
      write: (work) => plane.dispatch.write(work),
      waiting: () => plane.dispatch.waitingAt(),
      agents: () => agentsOfPrivateLocations(plane.agents),
    })
    sampler.start()
    const vitals = { eventLoopLagMs: 1e300, residentMb: 1e300, running: Number.MAX_SAFE_INTEGER, spooled: 2 ** 50 }
    const absurd = {
      version: 'nul \u0000 half \ud800',
      capabilities: ['\u0000', '\udc00', 'ping'],
      protocol: agentProtocolVersion,
    }
    expect((await bad.agent.post('hello', { ...hello, ...absurd })).status).toBe(200)
    await bad.agent.post('renew', { leases: [], vitals })
    await good.agent.hello()
    await plane.clock.advance(60_000)
    await sampler.stop()
    expect(problems).toEqual([])
    const { rows } = await database.db.pool.query<{ agent_id: string; version: string }>(
      'SELECT agent_id, version FROM private_location_agents WHERE agent_id = ANY($1::uuid[])',
      [[bad.agent.agentId, good.agent.agentId]],
    )
    expect(rows).toHaveLength(2)
    expect(rows.find((row) => row.agent_id === bad.agent.agentId)?.version).toBe('nul \ufffd half \ufffd')
  })
})
