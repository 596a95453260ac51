import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startAgent, type Agent, type AgentParts } from './agent.ts'
import type { AgentSettings } from './config.ts'
import { FakeServer } from './testing/fake-server.ts'
import { givenGate } from './testing/gate.ts'
import { scriptedJob } from './testing/jobs.ts'

const threadEntry = new URL('./testing/scripted-thread.ts', import.meta.url)
let server: FakeServer
let folder: string
let agents: Agent[]

beforeEach(async () => {
  server = new FakeServer()
  folder = mkdtempSync(join(tmpdir(), 'agent-'))
  agents = []
  await server.start()
})

afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop(0)))
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function givenAgent(changes: Partial<AgentSettings> = {}, parts: Partial<AgentParts> = {}): Promise<Agent> {
  const agent = await startAgent(
    {
      url: server.url,
      key: 'vdl_test',
      concurrency: null,
      healthPort: null,
      spoolDir: folder,
      logLevel: 'silent',
      reportCrashes: true,
      drainGraceMs: 10_000,
      ...changes,
    },
    { log: pino({ level: 'silent' }), threadEntry, random: () => 0, ...parts },
  )
  agents.push(agent)
  return agent
}

const outcomes = () => server.results.map(({ lease, verdict }) => [lease, verdict.outcome])

test('an agent introduces itself, takes a job, runs it and brings the result home', async () => {
  await givenAgent()
  const job = scriptedJob('pass')
  server.give(job)
  await server.until(() => server.results.length === 1)
  expect(server.hellos[0]).toMatchObject({ protocol: 1, checkTypes: ['API', 'TCP'], inFlight: [], spooled: [] })
  expect(server.leases[0]?.free).toEqual({ network: 100 })
  expect(outcomes()).toEqual([[job.lease, 'pass']])
  expect(server.results[0]?.replayed).toBe(false)
})

test('times are those of the server, whatever the clock of the machine says', async () => {
  const ahead = 3_600_000
  server.serverTime = () => Date.now() + ahead
  await givenAgent()
  server.give(scriptedJob('pass'))
  await server.until(() => server.results.length === 1)
  const [report] = server.results
  expect(Math.abs((report?.startedAt ?? 0) - server.serverTime())).toBeLessThan(5000)
  expect(Math.abs((report?.clockOffsetMs ?? 0) - ahead)).toBeLessThan(1000)
})

test('the concurrency setting bounds how many runs are held at once', async () => {
  const gate = await givenGate()
  await givenAgent({ concurrency: 2 })
  server.give(...Array.from({ length: 5 }, () => scriptedJob(`until ${gate.url}`)))
  await gate.arrivals(2)
  const asked = server.leases.map(({ free }) => free.network)
  expect(Math.max(...asked.map(Number))).toBe(2)
  expect(server.results).toEqual([])
  gate.open()
})

test('leases of running checks are renewed until their results are acknowledged', async () => {
  const gate = await givenGate()
  await givenAgent()
  const job = scriptedJob(`until ${gate.url}`)
  server.give(job)
  await gate.arrivals(1)
  await server.until(() => server.renewals.some(({ leases }) => leases.includes(job.lease)))
  gate.open()
  await server.until(() => server.results.length === 1)
  const renewed = server.renewals.length
  await server.until(() => server.renewals.length > renewed + 1)
  expect(server.renewals.at(-1)?.leases).toEqual([])
})

test('a run the server no longer wants is stopped and not reported', async () => {
  await givenAgent({ concurrency: 1 })
  const unwanted = scriptedJob('untilAborted')
  server.give(unwanted)
  await server.until(() => server.renewals.some(({ leases }) => leases.includes(unwanted.lease)))
  server.cancelled = [unwanted.attemptId]
  const wanted = scriptedJob('pass')
  server.give(wanted)
  await server.until(() => server.results.length > 0)
  expect(outcomes()).toEqual([[wanted.lease, 'pass']])
})

test('a job handed out twice while it runs is run once', async () => {
  const gate = await givenGate()
  await givenAgent()
  const job = scriptedJob(`until ${gate.url}`)
  server.give(job)
  await gate.arrivals(1)
  server.give(job, scriptedJob('pass'))
  await server.until(() => server.results.length === 1)
  gate.open()
  await server.until(() => server.results.length === 2)
  expect(server.results.filter(({ lease }) => lease === job.lease)).toHaveLength(1)
})

test('a crash of the probe thread makes its runs "not known", and the next run finds a new thread', async () => {
  await givenAgent()
  const crashing = scriptedJob('crash')
  server.give(crashing)
  await server.until(() => server.results.length === 1)
  expect(server.results[0]).toMatchObject({ lease: crashing.lease, illness: { code: 'AGENT_CRASH' } })
  expect(server.results[0]?.verdict.outcome).toBe('unknown')
  server.give(scriptedJob('pass'))
  await server.until(() => server.results.length === 2)
  expect(server.results[1]?.verdict.outcome).toBe('pass')
})

test('a throw inside a run is our trouble, not the target failing', async () => {
  await givenAgent()
  server.give(scriptedJob('throw'))
  await server.until(() => server.results.length === 1)
  expect(server.results[0]).toMatchObject({ illness: { code: 'AGENT_ERROR' }, verdict: { outcome: 'unknown' } })
})

test.each(['spin', 'never'])('a run that does not end (%s) is given up and its thread replaced', async (script) => {
  await givenAgent({}, { overdueGraceMs: 100 })
  server.give(scriptedJob(script, { capMs: 100 }))
  await server.until(() => server.results.length === 1)
  expect(server.results[0]).toMatchObject({ illness: { code: 'AGENT_STALLED' }, verdict: { outcome: 'unknown' } })
  server.give(scriptedJob('pass'))
  await server.until(() => server.results.length === 2)
  expect(server.results[1]?.verdict.outcome).toBe('pass')
})

test('a check type this agent cannot run is "not known" and says so', async () => {
  await givenAgent()
  server.give(scriptedJob('pass', { type: 'BROWSER' }))
  await server.until(() => server.results.length === 1)
  expect(server.results[0]?.illness?.code).toBe('UNKNOWN_CHECK_TYPE')
})

test('an unreadable job costs nothing but itself', async () => {
  await givenAgent()
  const good = scriptedJob('pass')
  server.give({ ...scriptedJob('pass'), capMs: -1 }, good)
  await server.until(() => server.results.length === 1)
  expect(outcomes()).toEqual([[good.lease, 'pass']])
})

test('results of checks that ended while the server was away are replayed from disk, marked and in order', async () => {
  const gate = await givenGate()
  const agent = await givenAgent()
  const jobs = [scriptedJob(`until ${gate.url}`), scriptedJob(`until ${gate.url}`), scriptedJob(`until ${gate.url}`)]
  server.give(...jobs)
  await gate.arrivals(3)
  await server.stop()
  gate.open()
  while (Number(agent.health().details.spooled) < 3) await new Promise((resolve) => setImmediate(resolve))
  const heardBefore = server.hellos.length
  await server.start()
  await server.until(() => server.results.length === 3)
  expect(server.hellos.slice(heardBefore)[0]?.spooled.toSorted()).toEqual(jobs.map((job) => job.attemptId).toSorted())
  expect(server.results.map(({ replayed }) => replayed)).toEqual([true, true, true])
  server.give(scriptedJob('pass'))
  await server.until(() => server.results.length === 4)
  expect(server.results[3]?.replayed).toBe(false)
})

test('a refused key is retried slowly, and works as soon as the server knows it', async () => {
  server.key = 'another'
  let refused = 0
  server.trouble = (path) => {
    if (path.endsWith('/hello')) refused += 1
    return undefined
  }
  const agent = await givenAgent({}, { deniedRetryMs: 20 })
  await server.until(() => refused >= 2)
  expect(agent.health().ready).toBe(false)
  expect(server.leases).toEqual([])
  server.key = 'vdl_test'
  await server.until(() => server.leases.length > 0)
})

test('a server that is not leading is asked again after the time it names', async () => {
  let refusedAt = 0
  server.trouble = (path) => {
    if (refusedAt > 0 || !path.endsWith('/lease')) return undefined
    refusedAt = Date.now()
    return { status: 503, headers: { 'retry-after': '1' } }
  }
  await givenAgent()
  await server.until(() => server.leases.length > 0)
  expect(Date.now() - refusedAt).toBeGreaterThanOrEqual(990)
})

test('a result the server cannot take is given up alone, its batch arrives', async () => {
  const gate = await givenGate()
  await givenAgent()
  const bad = scriptedJob(`until ${gate.url}`)
  const good = [scriptedJob(`until ${gate.url}`), scriptedJob(`until ${gate.url}`), scriptedJob(`until ${gate.url}`)]
  server.trouble = (path, body) => (path.endsWith('/results') && body.includes(bad.lease) ? { status: 400 } : undefined)
  server.give(...good.slice(0, 2), bad, ...good.slice(2))
  await gate.arrivals(4)
  gate.open()
  await server.until(() => server.results.length === 3)
  expect(server.results.map(({ lease }) => lease).toSorted()).toEqual(good.map(({ lease }) => lease).toSorted())
})

test('passing results travel together, a failing one does not wait for more', async () => {
  await givenAgent()
  server.give(scriptedJob('pass'), scriptedJob('pass'), scriptedJob('pass'), scriptedJob('fail'))
  await server.until(() => server.results.length === 4)
  expect(server.batches.length).toBeLessThanOrEqual(2)
})

test('stopping hands running checks that outlast the grace back and says goodbye', async () => {
  const agent = await givenAgent()
  const job = scriptedJob('never')
  server.give(job)
  await server.until(() => server.renewals.some(({ leases }) => leases.includes(job.lease)))
  await agent.stop(0)
  expect(server.released).toEqual([job.lease])
  expect(server.goodbyes).toBe(1)
})

test('stopping lets running checks finish and delivers their results', async () => {
  const gate = await givenGate()
  const agent = await givenAgent({ healthPort: 0 })
  const job = scriptedJob(`until ${gate.url}`)
  server.give(job)
  await gate.arrivals(1)
  const stopped = agent.stop()
  const readiness = await fetch(`http://127.0.0.1:${agent.healthPort}/-/readiness`)
  expect(readiness.status).toBe(503)
  gate.open()
  await stopped
  expect(outcomes()).toEqual([[job.lease, 'pass']])
  expect(server.released).toEqual([])
  expect(server.goodbyes).toBe(1)
})
