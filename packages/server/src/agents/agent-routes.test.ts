import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { agentPaths, agentProtocolVersion, locations, type Job, type Location } from '@vedette/wire'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { reportOf } from '../../test-support/reports.ts'
import { testVault } from '../../test-support/vault.ts'
import { leaseJobs } from './jobs/lease-jobs.ts'
import { createLeaseTokens } from './jobs/lease-token.ts'

const database = useEmptiedDatabase()
let db: Database
let plane: Plane
let key: string
let agent: TestAgent

beforeAll(() => {
  db = database.db
})
beforeEach(async () => {
  await forgetChecks(db)
  await db.pool.query('UPDATE agent_keys SET revoked_at = now()')
  plane = await givenPlane(db)
  key = await plane.agents.keys.mintBuiltin('test')
  agent = new TestAgent(plane, key)
})
afterEach(() => plane.stop())

async function dataCenterAgent(location: Location): Promise<TestAgent & { keyId: string }> {
  const { keys } = plane.agents
  const { key: minted, raw } = await keys.mintForDataCenter(db.pool, location)
  keys.forget()
  return Object.assign(new TestAgent(plane, raw), { keyId: minted.id })
}

async function givenRun(more: Parameters<typeof givenCheck>[1] = {}): Promise<GivenCheck> {
  const check = await givenCheck(plane, more)
  await plane.dispatch.checkChanged(check.id)
  await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  return check
}

async function leaseOne(from = agent): Promise<Job> {
  const [job] = await from.lease()
  if (job === undefined) throw new Error('There is no job.')
  return job
}

const storedIds = async (checkId: string) =>
  (await db.pool.query<{ id: string }>('SELECT id FROM check_results WHERE check_id = $1', [checkId])).rows.map(
    (row) => row.id,
  )

const sealFor =
  (accountId: string, table: string, row: string) =>
  (value: string, field: string): string =>
    testVault.seal(value, { account: accountId, table, row, field })

/** Another server takes the lease, and this one notices at its next renewal. */
async function anotherLeads(): Promise<void> {
  await db.pool.query('UPDATE leadership SET epoch = epoch + 1')
  for (let waits = 0; waits < 20 && plane.dispatch.isLeading(); waits++) await plane.clock.advance(500)
}

describe('signing in', () => {
  it('refuses agents without a key, with an unknown one and with a revoked one', async () => {
    const response = await plane.app.inject({ method: 'POST', url: agentPaths.lease, payload: {} })
    expect(response.statusCode).toBe(401)
    expect((await new TestAgent(plane, 'vdl_unknown').hello()).status).toBe(401)
    const center = await dataCenterAgent('eu-west-1')
    expect((await center.hello()).status).toBe(200)
    await plane.agents.keys.revokeDataCenter(db.pool, center.keyId)
    plane.agents.keys.forget()
    expect((await center.hello()).status).toBe(401)
  })

  it('tells an agent its locations, the time and the terms', async () => {
    const { body } = await agent.hello()
    expect(body).toMatchObject({ protocol: agentProtocolVersion, serverTime: plane.clock.now(), leaseMs: 30_000 })
    expect(body.locations).toEqual([...locations])
  })

  it('takes a location away from the built-in agent as long as it has a key of its own', async () => {
    const center = await dataCenterAgent('eu-west-1')
    expect((await center.hello()).body.locations).toEqual(['eu-west-1'])
    expect((await agent.hello()).body.locations).not.toContain('eu-west-1')
    const check = await givenRun()
    expect(await agent.lease()).toEqual([])
    expect(await leaseOne(center)).toMatchObject({ checkId: check.id, emulated: false })
  })

  it('refuses a protocol version it does not speak, naming those it does', async () => {
    const future = { protocol: agentProtocolVersion + 1, version: '9', checkTypes: [], capabilities: [], capacity: {} }
    const answer = await agent.post('hello', { ...future, inFlight: [], spooled: [] })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(`got ${agentProtocolVersion + 1}`)
  })

  it('refuses bodies that are not the protocol’s, and names the field', async () => {
    expect((await agent.post('lease', { free: { network: -1 }, waitMs: 0 })).body.message).toContain('free.network')
    expect((await agent.post('lease', { free: {}, waitMs: 0, more: true })).body.message).toContain('more')
  })
})

describe('a job', () => {
  it('waits again when the agent hung up while it was prepared', async () => {
    const check = await givenRun()
    const plan = plane.agents
    const builtin = await plan.keys.find(key)
    if (builtin === undefined) throw new Error('The key was just made.')
    const gone = new AbortController()
    const jobs = Object.create(plan.jobs, {
      join: {
        value: async (...args: Parameters<typeof plan.jobs.join>) => {
          const joined = await plan.jobs.join(...args)
          gone.abort()
          return joined
        },
      },
    }) as typeof plan.jobs
    const wish = { agentId: randomUUID(), free: { network: 1 }, waitMs: 0, signal: gone.signal }
    expect(await leaseJobs({ ...plan, jobs }, builtin, wish)).toEqual([])
    expect(await leaseOne()).toMatchObject({ checkId: check.id })
  })

  it('carries the definition with its secrets, the variables it names, and nothing of others', async () => {
    const id = randomUUID()
    const check = await givenCheck(plane, {
      id,
      definition: {
        request: {
          method: 'GET',
          url: 'http://127.0.0.1:1/{{TOKEN}}/{{MINE}}',
          basicAuth: { username: 'shop', password: '' },
        },
        environmentVariables: [{ key: 'MINE', value: 'own', locked: false, secret: false }],
      },
    })
    const seal = sealFor(check.accountId, 'checks', id)
    await db.pool.query('UPDATE check_revisions SET secrets = $2 WHERE check_id = $1', [
      id,
      JSON.stringify({ 'request.basicAuth.password': seal('hunter2', 'request.basicAuth.password') }),
    ])
    for (const [name, value, secret] of [
      ['TOKEN', 't0ken', true],
      ['MINE', 'account', false],
      ['OTHER', 'unused', true],
    ] as const) {
      await db.pool.query(
        'INSERT INTO variables (account_id, key, value, locked, secret, version, created_at) VALUES ($1, $2, $3, false, $4, 1, now())',
        [check.accountId, name, sealFor(check.accountId, 'variables', name)(value, 'value'), secret],
      )
    }
    await plane.dispatch.checkChanged(id)
    await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
    await plane.clock.advance(0)
    const job = await leaseOne()
    expect(job.definition).toMatchObject({ request: { basicAuth: { username: 'shop', password: 'hunter2' } } })
    expect(job.variables).toEqual([
      { key: 'TOKEN', value: 't0ken', secret: true },
      { key: 'MINE', value: 'own', secret: false },
    ])
    expect(job).toMatchObject({ emulated: true, attempt: 0, checkName: 'Shop', type: 'API', workerClass: 'network' })
    expect(job.timeoutMs).toBeGreaterThan(0)
  })

  it('runs the revision of its slot, not a later one', async () => {
    const check = await givenRun()
    await db.pool.query(
      `INSERT INTO check_revisions SELECT check_id, 2, account_id, type, 'Later', definition, secrets, created_at
       FROM check_revisions WHERE check_id = $1`,
      [check.id],
    )
    await db.pool.query('UPDATE checks SET revision = 2 WHERE id = $1', [check.id])
    expect((await leaseOne()).checkName).toBe('Shop')
    await plane.dispatch.checkChanged(check.id)
    await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
    await plane.clock.advance(0)
    expect((await leaseOne()).checkName).toBe('Later')
  })

  it('arrives at once at an agent that waits for it', async () => {
    const poll = agent.lease(20_000)
    await plane.clock.advance(1)
    const check = await givenRun()
    expect(await poll).toMatchObject([{ checkId: check.id }])
  })

  it('given back unstarted goes to the next who asks', async () => {
    await givenRun()
    const job = await leaseOne()
    expect((await agent.post('release', { leases: [job.lease] })).status).toBe(204)
    expect((await leaseOne(new TestAgent(plane, key))).attemptId).toBe(job.attemptId)
  })
})

describe('leases', () => {
  it('are kept by renewing, and cancelled when the run ended elsewhere', async () => {
    await givenRun()
    const job = await leaseOne()
    for (let i = 0; i < 4; i++) {
      await plane.clock.advance(20_000)
      expect((await agent.renew([job.lease])).body.cancelled).toEqual([])
    }
    await agent.report(plane.clock, reportOf(job))
    expect((await agent.renew([job.lease])).body.cancelled).toEqual([job.attemptId])
  })

  it('cannot be given back or renewed by another key', async () => {
    await givenRun()
    const job = await leaseOne()
    const center = await dataCenterAgent('us-east-1')
    await center.post('release', { leases: [job.lease] })
    await center.renew([job.lease])
    expect(await new TestAgent(plane, key).lease()).toEqual([])
  })

  it('of runs that an agent brings along are not issued to others', async () => {
    const check = await givenCheck(plane, {})
    await plane.dispatch.checkChanged(check.id)
    const run = await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
    await agent.hello(run?.resultIds)
    await plane.clock.advance(0)
    expect(await new TestAgent(plane, key).lease()).toEqual([])
  })

  it('are not handed out, and nothing is cancelled, while another server leads', async () => {
    await givenRun()
    await anotherLeads()
    const answer = await agent.post('lease', { free: { network: 1 }, waitMs: 0 })
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect((await agent.renew([])).status).toBe(503)
  })
})

describe('results', () => {
  it('are stored, also when they come twice', async () => {
    const check = await givenRun()
    const job = await leaseOne()
    const first = await agent.report(plane.clock, reportOf(job), reportOf(job))
    expect(first.body).toMatchObject({ accepted: [job.attemptId, job.attemptId], rejected: [] })
    expect((await agent.report(plane.clock, reportOf(job))).body.accepted).toEqual([job.attemptId])
    expect(await storedIds(check.id)).toEqual([job.attemptId])
  })

  it('are taken only from the key that leased the run', async () => {
    const check = await givenRun()
    const job = await leaseOne()
    const center = await dataCenterAgent('us-east-1')
    const answer = await center.report(plane.clock, reportOf(job))
    expect(answer.body).toMatchObject({ accepted: [], rejected: [{ attemptId: job.attemptId }] })
    expect(await storedIds(check.id)).toEqual([])
  })

  it('with a lease that was forged, altered or is none are refused', async () => {
    const check = await givenRun()
    const job = await leaseOne()
    const [version, claims = '', mac] = job.lease.split('.')
    const { accountId: _, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
    const altered = Buffer.from(JSON.stringify({ ...rest, accountId: randomUUID() })).toString('base64url')
    const foreign = createLeaseTokens(randomBytes(32)).sign({ ...rest, accountId: check.accountId } as never)
    for (const lease of [`${version}.${altered}.${mac}`, foreign, 'v1.x.y', 'nonsense', '', `${job.lease}.x`]) {
      const answer = await agent.report(plane.clock, reportOf({ ...job, lease }))
      expect(answer.body).toMatchObject({ accepted: [], rejected: [{ reason: expect.any(String) as string }] })
    }
    expect(await storedIds(check.id)).toEqual([])
  })

  it('without a lease are refused alone', async () => {
    const check = await givenRun()
    const job = await leaseOne()
    const answer = await agent.report(plane.clock, { nonsense: true }, 'nonsense', reportOf(job))
    expect(answer.body).toMatchObject({
      accepted: [job.attemptId],
      rejected: [{ attemptId: null }, { attemptId: null }],
    })
    expect(await storedIds(check.id)).toEqual([job.attemptId])
  })

  it('may hold any text a target can send', async () => {
    const check = await givenRun()
    const job = await leaseOne()
    const report = reportOf(job, { result: { apiCheckResult: { body: 'nul \u0000 half \ud800' } } })
    expect((await agent.report(plane.clock, report)).body.accepted).toEqual([job.attemptId])
    expect(await storedIds(check.id)).toHaveLength(1)
  })

  const send = async (payload: Buffer, headers: Record<string, string>) => {
    const sent = plane.app.inject({
      method: 'POST',
      url: agentPaths.results,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      payload,
    })
    // Decompression takes real time in another thread; storing waits for the test clock.
    let isAnswered = false
    const answered = sent.finally(() => (isAnswered = true))
    while (!isAnswered) await plane.clock.advance(100)
    return answered
  }

  it('may come gzipped', async () => {
    const check = await givenRun()
    const body = JSON.stringify({ agentId: agent.agentId, results: [reportOf(await leaseOne())] })
    const answer = await send(gzipSync(body), { 'content-encoding': 'gzip' })
    expect(answer.statusCode).toBe(200)
    expect(await storedIds(check.id)).toHaveLength(1)
  })

  it('that unpack to more than the limit, to nothing, or in a strange way are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 32))
    expect((await send(bomb, { 'content-encoding': 'gzip' })).statusCode).toBe(413)
    expect((await send(Buffer.from('not gzip'), { 'content-encoding': 'gzip' })).statusCode).toBe(400)
    expect((await send(Buffer.from('{}'), { 'content-encoding': 'br' })).statusCode).toBe(415)
    expect((await send(Buffer.from('{'), {})).statusCode).toBe(400)
  })
})

describe('trying a check that nobody saved', () => {
  const dryRun = (accountId: string) =>
    plane.dispatch.dryRun({
      accountId,
      type: 'API',
      location: 'eu-west-1',
      definition: { name: 'Draft', locations: ['eu-west-1'], request: { method: 'GET', url: 'http://127.0.0.1:1/' } },
    })

  it('goes through the real agent, answers with its report and stores nothing', async () => {
    const { accountId } = await givenCheck(plane)
    const answer = dryRun(accountId)
    await plane.clock.advance(0)
    const job = await leaseOne()
    expect(job).toMatchObject({ checkName: 'Draft', definition: { name: 'Draft' }, location: 'eu-west-1' })
    expect((await agent.report(plane.clock, reportOf(job, { responseMs: 42 }))).body.accepted).toEqual([job.attemptId])
    expect((await answer)?.report.responseMs).toBe(42)
    expect(await storedIds(job.checkId)).toEqual([])
    expect(plane.dispatch.depth()).toMatchObject({ waiting: 0, leased: 0 })
  })

  it('answers nothing when its agent is too slow, and stores nothing of what comes later', async () => {
    const { accountId } = await givenCheck(plane)
    const answer = dryRun(accountId)
    await plane.clock.advance(0)
    const job = await leaseOne()
    await plane.clock.advance(60_000)
    expect(await answer).toBeUndefined()
    expect((await agent.report(plane.clock, reportOf(job))).body.accepted).toEqual([job.attemptId])
    expect(await storedIds(job.checkId)).toEqual([])
  })

  it('is answered by its agent also when another server took over meanwhile', async () => {
    const { accountId } = await givenCheck(plane)
    const answer = dryRun(accountId)
    await plane.clock.advance(0)
    const job = await leaseOne()
    await anotherLeads()
    expect(plane.dispatch.isLeading()).toBe(false)
    expect((await agent.report(plane.clock, reportOf(job, { responseMs: 7 }))).body.accepted).toEqual([job.attemptId])
    expect((await answer)?.report.responseMs).toBe(7)
  })

  it('answers nothing when no agent takes it in time, and leaves nothing in the queue', async () => {
    const { accountId } = await givenCheck(plane)
    const answer = dryRun(accountId)
    await plane.clock.advance(60_000)
    expect(await answer).toBeUndefined()
    expect(plane.dispatch.depth()).toMatchObject({ waiting: 0, leased: 0 })
  })
})

describe('presence', () => {
  it('says who is there, how they are, and who fell silent', async () => {
    const { presence } = plane.agents
    await agent.hello()
    await agent.renew([])
    expect(presence.list()).toMatchObject([
      { agentId: agent.agentId, version: '1', state: 'online', vitals: { running: 2 }, key: { kind: 'builtin' } },
    ])
    await plane.clock.advance(61_000)
    expect(presence.list()).toMatchObject([{ state: 'silent' }])
    await agent.post('goodbye', {})
    expect(presence.list()).toEqual([])
  })
})
