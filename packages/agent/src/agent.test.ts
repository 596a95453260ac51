import { availableParallelism } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FakeServer } from '../test-support/fake-server.ts'
import { givenFastClock, givenSettableClock } from '../test-support/clocks.ts'
import { givenGate } from '../test-support/gate.ts'
import { scriptedJob } from '../test-support/jobs.ts'
import { openScene, type Scene } from '../test-support/scene.ts'

/** A thread that takes jobs and then stands still: later ones wait for it. */
const stuckThread = new URL(
  `data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'ready' }); for (;;);")}`,
)

const turn = () => new Promise((resolve) => setImmediate(resolve))

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
    expect(server.hellos[0]).toMatchObject({
      protocol: 2,
      checkTypes: ['API', 'URL', 'TCP', 'DNS', 'ICMP', 'SSL'],
      capabilities: ['ping', 'traceroute'],
      inFlight: [],
      spooled: [],
    })
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

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('goes on working when the clock of its machine is set %s by an hour', async (_, leapMs) => {
    const clock = givenSettableClock()
    const agent = await scene.agent({}, { clock })
    const first = scriptedJob('pass')
    server.give(first)
    await scene.resultOf(first)
    const asked = server.leases.length
    clock.setWall(leapMs)
    // A second result, a new poll, a renewal and a new hello all come as quickly as before.
    const second = scriptedJob('pass')
    server.give(second)
    await scene.resultOf(second)
    await server.until(() => server.leases.length > asked)
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    await server.stop()
    // A server that is back at once is not missed: a call on a closed connection is sent again.
    while (agent.health().ready) await new Promise((resolve) => setTimeout(resolve, 5))
    const greeted = server.hellos.length
    await server.start()
    await server.until(() => server.hellos.length > greeted)
    const third = scriptedJob('fail')
    server.give(third)
    // The offset follows the clock at once.
    expect(Math.abs((await scene.resultOf(third)).clockOffsetMs + leapMs)).toBeLessThan(5000)
    expect(agent.health().ready).toBe(true)
  })

  test('takes no offset from a hello that was answered slowly', async () => {
    server.renewEveryMs = 60_000
    server.delay = (path) => (path.endsWith('/hello') ? new Promise((resolve) => setTimeout(resolve, 600)) : undefined)
    await scene.agent()
    const job = scriptedJob('pass')
    server.give(job)
    expect((await scene.resultOf(job)).clockOffsetMs).toBe(0)
  })

  test('samples the clock of the server three times before its first period is over', async () => {
    server.renewEveryMs = 60_000
    await scene.agent()
    await server.until(() => server.renewals.length === 2)
  })

  test('on the machine of the server has no offset, however the server answers', async () => {
    server.serverTime = () => Date.now() - 3_600_000
    await scene.agent({ sharesServerClock: true })
    const job = scriptedJob('pass')
    server.give(job)
    expect((await scene.resultOf(job)).clockOffsetMs).toBe(0)
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
    while (Number(agent.health().details.spooled) < 3) await turn()
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

  test('neither runs again nor loses the lease of what waits on its disk because the server does not take it now', async () => {
    const job = scriptedJob('pass')
    server.takes = ({ lease }) => lease !== job.lease
    const agent = await scene.agent()
    server.give(job)
    while (Number(agent.health().details.spooled) < 1) await turn()
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    expect(server.renewals.at(-1)?.leases).toEqual([job.lease])
    const other = scriptedJob('pass')
    server.give(job, other)
    await scene.resultOf(other)
    server.takes = () => true
    await scene.resultOf(job)
    while (Number(agent.health().details.spooled) > 0) await turn()
    expect(server.results.map(({ lease }) => lease)).toEqual([other.lease, job.lease])
    expect(server.hellos).toHaveLength(1)
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

  test('asks a server that is not leading again soon, and delivers in order what ended meanwhile', async () => {
    const gate = await givenGate()
    const agent = await scene.agent()
    const jobs = Array.from({ length: 3 }, () => scriptedJob(`until ${gate.url}`))
    server.give(...jobs)
    await gate.arrivals(3)
    let refused = 0
    server.trouble = (path) => {
      if (path.endsWith('/hello')) return undefined
      refused += 1
      return { status: 503, headers: { 'retry-after': '1' } }
    }
    gate.letOne()
    while (Number(agent.health().details.spooled) < 1) await turn()
    gate.open()
    while (Number(agent.health().details.spooled) < 3) await turn()
    const refusedBefore = refused
    await server.until(() => refused > refusedBefore)
    server.trouble = () => undefined
    await Promise.all(jobs.map((job) => scene.resultOf(job)))
    expect(server.results.map(({ lease }) => lease.replace('lease-of-', ''))).toEqual(server.hellos.at(-1)?.spooled)
    expect(server.released).toEqual([])
  })

  test.each(['hello', 'lease', 'renew', 'results'])('goes on when %s is never answered', async (call) => {
    const clock = givenFastClock(50)
    await scene.agent({}, { clock })
    await server.until(() => server.leases.length > 0)
    server.mute = (path) => path.endsWith(`/${call}`)
    const job = scriptedJob('pass')
    if (call === 'results') server.give(job)
    // The next hello is sent only after a loss.
    if (call === 'hello') server.trouble = (path) => (path.endsWith('/renew') ? 'drop' : undefined)
    const mutedBefore = server.muted
    await server.until(() => server.muted > mutedBefore + 1)
    server.mute = () => false
    server.trouble = () => undefined
    if (call !== 'results') server.give(job)
    await scene.resultOf(job)
  })

  test('leaves connections that fell silent behind, all at once', async () => {
    const gate = await givenGate()
    const clock = givenFastClock(4)
    await scene.agent({}, { clock })
    const running = scriptedJob(`until ${gate.url}`)
    server.give(running)
    await gate.arrivals(1)
    const silent = new Set(server.sockets)
    server.mute = (_, socket) => silent.has(socket)
    const from = clock.monotonic()
    const next = scriptedJob('pass')
    server.give(next)
    gate.open()
    await Promise.all([scene.resultOf(running), scene.resultOf(next)])
    // A call is given up after ten seconds; a second silent connection would cost as much again.
    expect(clock.monotonic() - from).toBeLessThan(20_000)
  })

  test('that stops leaves a server that does not answer, with its results on disk', async () => {
    const gate = await givenGate()
    const agent = await scene.agent({}, { clock: givenFastClock(20) })
    const [ending, endless] = [scriptedJob(`until ${gate.url}`), scriptedJob('untilAborted')]
    server.give(ending, endless)
    await gate.arrivals(1)
    server.mute = () => true
    gate.open()
    await agent.stop(10_000)
    expect(agent.health().details.spooled).toBe(1)
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

  test('does not renew for ever what does not end, running or waiting, and reports it as not known', async () => {
    server.renewEveryMs = 5000
    await scene.agent({}, { threadEntry: stuckThread, clock: givenFastClock(100), overdueGraceMs: 600_000 })
    const jobs = Array.from({ length: 4 * availableParallelism() + 1 }, () => scriptedJob('pass', { timeoutMs: 1000 }))
    server.give(...jobs)
    await server.until(() => server.renewals.at(-1)?.leases.length === jobs.length)
    for (const job of jobs) {
      const report = await scene.resultOf(job)
      expect(report).toMatchObject({ verdict: { outcome: 'unknown' }, startedAt: null })
      expect(report.internalError?.code).toMatch(/^AGENT_/)
    }
    await server.until(() => server.renewals.at(-1)?.leases.length === 0)
    // A message whose answer comes late by this fast clock is sent again.
    expect(new Set(server.results.map((each) => JSON.stringify({ ...each, replayed: false }))).size).toBe(jobs.length)
  })

  test('ends what the server no longer wants also while it waits for a thread', async () => {
    await scene.agent({}, { threadEntry: stuckThread })
    const jobs = Array.from({ length: 4 * availableParallelism() + 1 }, () => scriptedJob('pass'))
    server.give(...jobs)
    await server.until(() => server.renewals.at(-1)?.leases.length === jobs.length)
    server.cancelled = jobs.map(({ attemptId }) => attemptId)
    await server.until(() => server.renewals.at(-1)?.leases.length === 0)
    expect(server.results).toEqual([])
  })

  test('reports a crash again when the renewal that told of it got lost', async () => {
    await scene.agent()
    server.trouble = (path, body) => (path.endsWith('/renew') && body.includes('AGENT_CRASH') ? 'drop' : undefined)
    const dropped = new Promise<void>((resolve) => {
      const { trouble } = server
      server.trouble = (path, body) => {
        const answer = trouble(path, body)
        if (answer === 'drop') resolve()
        return answer
      }
    })
    const job = scriptedJob('crash')
    server.give(job)
    await dropped
    server.trouble = () => undefined
    await server.until(() => server.crashes.length > 0)
    const renewed = server.renewals.length
    await server.until(() => server.renewals.length > renewed + 1)
    expect(server.crashes).toHaveLength(1)
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
