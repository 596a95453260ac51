import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startAgent, type Agent, type AgentParts } from './agent.ts'
import type { AgentSettings } from './config.ts'
import { FakeServer } from '../test-support/fake-server.ts'
import { givenGate } from '../test-support/gate.ts'
import type { Job, ResultReport } from '@vedette/wire'
import { scriptedJob } from '../test-support/jobs.ts'

const threadEntry = new URL('../test-support/scripted-thread.mjs', import.meta.url)
interface Scene {
  server: FakeServer
  folder: string
  agent(changes?: Partial<AgentSettings>, parts?: Partial<AgentParts>): Promise<Agent>
  resultOf(job: Job): Promise<ResultReport>
  end(): Promise<void>
}

async function openScene(): Promise<Scene> {
  const server = new FakeServer()
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const agents: Agent[] = []
  await server.start()
  const settings = (): AgentSettings => ({
    url: server.url,
    key: 'vdl_test',
    concurrency: null,
    healthPort: null,
    spoolDir: folder,
    logLevel: 'silent',
    reportCrashes: true,
    drainGraceMs: 10_000,
    controlName: null,
  })
  return {
    server,
    folder,
    async agent(changes = {}, parts = {}) {
      const log = pino({ level: 'silent' })
      const agent = await startAgent({ ...settings(), ...changes }, { log, threadEntry, random: () => 0, ...parts })
      agents.push(agent)
      return agent
    },
    async resultOf(job) {
      const find = () => server.results.find(({ lease }) => lease === job.lease)
      await server.until(() => find() !== undefined)
      return find() as ResultReport
    },
    async end() {
      await Promise.all(agents.map((agent) => agent.stop(0)))
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('an agent at work', () => {
  let scene: Scene
  let server: FakeServer

  beforeAll(async () => {
    scene = await openScene()
    server = scene.server
    await scene.agent({}, { overdueGraceMs: 100 })
  })
  afterAll(() => scene.end())

  test('introduces itself, takes a job, runs it and brings the result home', async () => {
    const job = scriptedJob('pass')
    server.give(job)
    expect(await scene.resultOf(job)).toMatchObject({
      verdict: { outcome: 'pass' },
      internalError: null,
      replayed: false,
    })
    expect(server.hellos[0]).toMatchObject({ protocol: 2, checkTypes: ['API', 'TCP'], inFlight: [], spooled: [] })
    expect(server.leases[0]?.free).toEqual({ network: 500 })
  })

  test('renews the leases of running checks until their results are acknowledged', async () => {
    const gate = await givenGate()
    const job = scriptedJob(`until ${gate.url}`)
    server.give(job)
    await gate.arrivals(1)
    await server.until(() => server.renewals.some(({ leases }) => leases.includes(job.lease)))
    gate.open()
    await scene.resultOf(job)
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    expect(server.renewals.at(-1)?.leases).toEqual([])
  })

  test('stops a run the server no longer wants, and does not report it', async () => {
    const unwanted = scriptedJob('untilAborted')
    server.give(unwanted)
    await server.until(() => server.renewals.some(({ leases }) => leases.includes(unwanted.lease)))
    server.cancelled = [unwanted.attemptId]
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    const wanted = scriptedJob('pass')
    server.give(wanted)
    await scene.resultOf(wanted)
    expect(server.renewals.at(-1)?.leases).not.toContain(unwanted.lease)
    expect(server.results.map(({ lease }) => lease)).not.toContain(unwanted.lease)
  })

  test('runs a job once that is handed out twice while it runs', async () => {
    const gate = await givenGate()
    const job = scriptedJob(`until ${gate.url}`)
    server.give(job)
    await gate.arrivals(1)
    const other = scriptedJob('pass')
    server.give(job, other)
    await scene.resultOf(other)
    gate.open()
    await scene.resultOf(job)
    expect(server.results.filter(({ lease }) => lease === job.lease)).toHaveLength(1)
  })

  test('makes the runs of a probe thread that crashed "not known", says so, and goes on with a new thread', async () => {
    const crashing = scriptedJob('crash')
    server.give(crashing)
    const report = await scene.resultOf(crashing)
    expect(report).toMatchObject({ internalError: { code: 'AGENT_CRASH' }, verdict: { outcome: 'unknown' } })
    await server.until(() => server.crashes.some(({ code }) => code === 'AGENT_CRASH'))
    const next = scriptedJob('pass')
    server.give(next)
    expect((await scene.resultOf(next)).verdict.outcome).toBe('pass')
  })

  test('takes a throw inside a run for our trouble, not for the target failing', async () => {
    const job = scriptedJob('throw')
    server.give(job)
    const report = await scene.resultOf(job)
    expect(report).toMatchObject({ internalError: { code: 'AGENT_ERROR' }, verdict: { outcome: 'unknown' } })
  })

  test.each(['spin', 'never'])('gives up a run that does not end (%s) and replaces its thread', async (script) => {
    const job = scriptedJob(script, { timeoutMs: 100 })
    server.give(job)
    const report = await scene.resultOf(job)
    expect(report).toMatchObject({ internalError: { code: 'AGENT_STALLED' }, verdict: { outcome: 'unknown' } })
    const next = scriptedJob('pass')
    server.give(next)
    expect((await scene.resultOf(next)).verdict.outcome).toBe('pass')
  })

  test('says so when it cannot run a type of check', async () => {
    const job = scriptedJob('pass', { type: 'BROWSER' })
    server.give(job)
    expect((await scene.resultOf(job)).internalError?.code).toBe('UNKNOWN_CHECK_TYPE')
  })

  test('loses nothing but an unreadable job itself', async () => {
    const good = scriptedJob('pass')
    const bad = { ...scriptedJob('pass'), timeoutMs: -1 }
    server.give(bad, good)
    await scene.resultOf(good)
    expect(server.results.map(({ lease }) => lease)).not.toContain(bad.lease)
  })

  test('gives up the one result the server cannot take, its batch arrives', async () => {
    const gate = await givenGate()
    const bad = scriptedJob(`until ${gate.url}`)
    const good = Array.from({ length: 3 }, () => scriptedJob(`until ${gate.url}`))
    server.trouble = (path, body) =>
      path.endsWith('/results') && body.includes(bad.lease) ? { status: 400, body: { statusCode: 400 } } : undefined
    server.give(...good.slice(0, 2), bad, ...good.slice(2))
    await gate.arrivals(4)
    gate.open()
    await Promise.all(good.map((job) => scene.resultOf(job)))
    await server.until(() => server.renewals.at(-1)?.leases.length === 0)
    expect(server.results.map(({ lease }) => lease)).not.toContain(bad.lease)
    server.trouble = () => undefined
  })

  test('sends passing results together, and a failing one without waiting for more', async () => {
    const batches = server.batches.length
    const jobs = [scriptedJob('pass'), scriptedJob('pass'), scriptedJob('pass'), scriptedJob('fail')]
    server.give(...jobs)
    await Promise.all(jobs.map((job) => scene.resultOf(job)))
    expect(server.batches.length - batches).toBeLessThanOrEqual(2)
  })
})

describe('an agent', () => {
  let scene: Scene
  let server: FakeServer

  beforeEach(async () => {
    scene = await openScene()
    server = scene.server
  })
  afterEach(() => scene.end())

  test('reports times of the server, whatever the clock of its machine says', async () => {
    const ahead = 3_600_000
    server.serverTime = () => Date.now() + ahead
    await scene.agent()
    const job = scriptedJob('pass')
    server.give(job)
    const report = await scene.resultOf(job)
    expect(Math.abs((report.startedAt ?? 0) - server.serverTime())).toBeLessThan(10_000)
    expect(Math.abs(report.clockOffsetMs - ahead)).toBeLessThan(5000)
  })

  test('holds no more runs at once than the concurrency setting allows', async () => {
    const gate = await givenGate()
    await scene.agent({ concurrency: 2 })
    const jobs = Array.from({ length: 3 }, () => scriptedJob(`until ${gate.url}`))
    server.give(...jobs)
    await gate.arrivals(2)
    expect(server.leases.map(({ free }) => free.network)).toEqual([2])
    gate.letOne()
    await gate.arrivals(2)
    expect(server.leases.map(({ free }) => free.network)).toEqual([2, 1])
    gate.open()
    await Promise.all(jobs.map((job) => scene.resultOf(job)))
  })

  test('replays from disk what ended while the server was away, marked and in order', async () => {
    const gate = await givenGate()
    const agent = await scene.agent()
    const jobs = Array.from({ length: 3 }, () => scriptedJob(`until ${gate.url}`))
    server.give(...jobs)
    await gate.arrivals(3)
    await server.stop()
    gate.open()
    while (Number(agent.health().details.spooled) < 3) await new Promise((resolve) => setImmediate(resolve))
    const heardBefore = server.hellos.length
    await server.start()
    await Promise.all(jobs.map((job) => scene.resultOf(job)))
    expect(server.hellos[heardBefore]?.spooled.toSorted()).toEqual(jobs.map((job) => job.attemptId).toSorted())
    expect(server.results.map(({ lease }) => lease.replace('lease-of-', ''))).toEqual(
      server.hellos[heardBefore]?.spooled,
    )
    expect(server.results.map(({ replayed }) => replayed)).toEqual([true, true, true])
    const next = scriptedJob('pass')
    server.give(next)
    expect((await scene.resultOf(next)).replayed).toBe(false)
  })

  test('tries a refused key again slowly, and works as soon as the server knows it', async () => {
    server.key = 'another'
    let refused = 0
    server.trouble = (path) => {
      if (path.endsWith('/hello')) refused += 1
      return undefined
    }
    const agent = await scene.agent({}, { deniedRetryMs: 20 })
    await server.until(() => refused >= 2)
    expect(agent.health().ready).toBe(false)
    expect(server.leases).toEqual([])
    server.key = 'vdl_test'
    await server.until(() => server.leases.length > 0)
  })

  test('asks a server that is not leading again after the time it names', async () => {
    let refusedAt = 0
    server.trouble = (path) => {
      if (refusedAt > 0 || !path.endsWith('/lease')) return undefined
      refusedAt = Date.now()
      return { status: 503, headers: { 'retry-after': '1' } }
    }
    await scene.agent()
    await server.until(() => server.leases.length > 0)
    expect(Date.now() - refusedAt).toBeGreaterThanOrEqual(990)
  })

  test('that stops hands checks back that outlast the grace, and says goodbye', async () => {
    const gate = await givenGate()
    const agent = await scene.agent()
    const job = scriptedJob(`until ${gate.url}`)
    server.give(job)
    await gate.arrivals(1)
    await agent.stop(0)
    expect(server.released).toEqual([job.lease])
    expect(server.results).toEqual([])
    expect(server.goodbyes).toBe(1)
    gate.open()
  })

  test('takes no work before it has a thread to run it', async () => {
    const agent = await scene.agent({}, { threadEntry: new URL('data:text/javascript,process.exit(0)') })
    await server.until(() => server.crashes.length >= 2)
    expect(agent.health().ready).toBe(false)
    expect(server.leases).toEqual([])
  })

  test('that stops lets running checks finish and delivers their results', async () => {
    const gate = await givenGate()
    const agent = await scene.agent({ healthPort: 0 })
    const job = scriptedJob(`until ${gate.url}`)
    server.give(job)
    await gate.arrivals(1)
    const stopped = agent.stop()
    const readiness = await fetch(`http://127.0.0.1:${agent.healthPort}/-/readiness`)
    expect(readiness.status).toBe(503)
    gate.open()
    await stopped
    expect(server.results.map(({ lease, verdict }) => [lease, verdict.outcome])).toEqual([[job.lease, 'pass']])
    expect(server.released).toEqual([])
    expect(server.goodbyes).toBe(1)
  })

  test('keeps its crashes to itself when it is told to', async () => {
    await scene.agent({ reportCrashes: false })
    const job = scriptedJob('crash')
    server.give(job)
    await scene.resultOf(job)
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    expect(server.crashes).toEqual([])
  })
})
