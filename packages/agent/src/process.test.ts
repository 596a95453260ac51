import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTypeOf, completeDefinition } from '@vedette/checks'
import { DirectoryInUse, lockDirectory } from '@vedette/checks/process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProcess, type AgentProcess } from '../test-support/agent-process.ts'
import { FakeServer } from '../test-support/fake-server.ts'
import { givenGate } from '../test-support/gate.ts'
import { scriptedJob } from '../test-support/jobs.ts'

let server: FakeServer
let folder: string
let started: AgentProcess[]

beforeEach(async () => {
  server = new FakeServer()
  folder = mkdtempSync(join(tmpdir(), 'agent-'))
  started = []
  await server.start()
})

afterEach(async () => {
  for (const agent of started) agent.signal('SIGKILL')
  await Promise.all(started.map(({ exit }) => exit))
  await server.stop()
  rmSync(folder, { recursive: true })
})

function givenProcess(program: string, env: Record<string, string> = {}, fileLimitKb?: number): AgentProcess {
  const settings = {
    VEDETTE_URL: server.url,
    API_KEY: 'vdl_test',
    AGENT_HEALTH_PORT: '0',
    VEDETTE_SPOOL_DIR: join(folder, 'spool'),
    ...env,
  }
  const agent = startProcess(program, settings, fileLimitKb)
  started.push(agent)
  return agent
}

function apiDefinition(url: string): Record<string, unknown> {
  const type = checkTypeOf('API')
  if (type === undefined) throw new Error('API checks are built in')
  const assertions = [{ source: 'JSON_BODY', property: '$.status', comparison: 'EQUALS', target: 'ok' }]
  return completeDefinition(type, { name: 'A check', request: { url, assertions } }, randomUUID())
}

const scripted = './scripted-agent.mjs'

async function healthOf(agent: AgentProcess): Promise<{ spooled: number }> {
  const { healthPort } = JSON.parse(await agent.says('agent started')) as { healthPort: number }
  const response = await fetch(`http://127.0.0.1:${healthPort}/health`)
  return (await response.json()) as { spooled: number }
}

test('SIGTERM lets a running check finish, reports it and exits with 0', async () => {
  const gate = await givenGate()
  const agent = givenProcess(scripted)
  const job = scriptedJob(`until ${gate.url}`)
  server.give(job)
  await gate.arrivals(1)
  agent.signal('SIGTERM')
  await agent.says('stopping')
  gate.open()
  expect(await agent.exit).toEqual({ code: 0, signal: null })
  expect(server.results.map(({ lease }) => lease)).toEqual([job.lease])
  expect(server.goodbyes).toBe(1)
})

test('a second signal does not wait', async () => {
  const gate = await givenGate()
  const agent = givenProcess(scripted)
  server.give(scriptedJob(`until ${gate.url}`))
  await gate.arrivals(1)
  agent.signal('SIGINT')
  await agent.says('stopping')
  // What follows at once may be the same Ctrl-C.
  const again = setInterval(() => agent.signal('SIGINT'), 50)
  expect(await agent.exit).toEqual({ code: 1, signal: null })
  clearInterval(again)
  expect(server.goodbyes).toBe(0)
  gate.open()
})

test('a Ctrl-C that arrives twice, as npm passes it on, is one: the running check may finish', async () => {
  const gate = await givenGate()
  const agent = givenProcess(scripted)
  server.give(scriptedJob(`until ${gate.url}`))
  await gate.arrivals(1)
  agent.signal('SIGINT')
  agent.signal('SIGTERM')
  await agent.says('stopping')
  gate.open()
  expect(await agent.exit).toEqual({ code: 0, signal: null })
  expect(server.goodbyes).toBe(1)
})

test('results that waited on disk survive kill -9, even when the last record was torn', async () => {
  const gate = await givenGate()
  const first = givenProcess(scripted)
  const jobs = [scriptedJob(`until ${gate.url}`), scriptedJob(`until ${gate.url}`)]
  server.give(...jobs)
  await gate.arrivals(2)
  await server.stop()
  gate.open()
  while ((await healthOf(first)).spooled < 2) await new Promise((resolve) => setImmediate(resolve))
  first.signal('SIGKILL')
  await first.exit

  const spool = join(folder, 'spool')
  const segment = readdirSync(spool).find((name) => name.endsWith('.spool'))
  appendFileSync(join(spool, String(segment)), 'deadbeef 0000 {"torn')
  await server.start()
  const hellosBefore = server.hellos.length
  const second = givenProcess(scripted)
  await server.until(() => server.results.length === 2)
  expect(server.hellos[hellosBefore]?.spooled.toSorted()).toEqual(jobs.map((job) => job.attemptId).toSorted())
  expect(server.results.map(({ lease }) => lease).toSorted()).toEqual(jobs.map((job) => job.lease).toSorted())
  expect(server.results.every(({ replayed }) => replayed)).toBe(true)
  expect(second.output.join('\n')).toContain('unreadable')
})

test('results that the server does not take now survive kill -9', async () => {
  server.takes = () => false
  const first = givenProcess(scripted)
  const job = scriptedJob('pass')
  server.give(job)
  await server.until(() => server.batches.length >= 2)
  first.signal('SIGKILL')
  await first.exit
  server.takes = () => true
  givenProcess(scripted)
  await server.until(() => server.results.length === 1)
  expect(server.results).toMatchObject([{ lease: job.lease, replayed: true }])
})

test('results survive files that the system lets grow no further, and the stop after that', async () => {
  const gate = await givenGate()
  const agent = givenProcess(scripted, {}, 1)
  const jobs = Array.from({ length: 4 }, () => scriptedJob(`until ${gate.url}`))
  server.give(...jobs)
  await gate.arrivals(4)
  await server.stop()
  for (let ended = 0; ended < jobs.length; ended++) {
    const spooledBefore = (await healthOf(agent)).spooled
    gate.letOne()
    while ((await healthOf(agent)).spooled === spooledBefore) await new Promise((resolve) => setImmediate(resolve))
  }
  gate.open()
  expect(agent.output.join('\n')).toContain('EFBIG')
  await server.start()
  await server.until(() => server.results.length >= 4)
  expect(server.results.map(({ lease }) => lease).toSorted()).toEqual(jobs.map(({ lease }) => lease).toSorted())
  expect(await healthOf(agent)).toMatchObject({ dropped: 0, unreadable: 0 })
  agent.signal('SIGTERM')
  expect(await agent.exit).toEqual({ code: 0, signal: null })
})

test('one folder serves one agent', async () => {
  const first = givenProcess(scripted)
  await first.says('agent started')
  await expect(lockDirectory(join(folder, 'spool'))).rejects.toThrow(DirectoryInUse)
  first.signal('SIGKILL')
  await first.exit
  await (await lockDirectory(join(folder, 'spool'))).release()
})

test('the program refuses a wrong setting with one clear sentence', async () => {
  const agent = givenProcess('../src/main.ts', { JOB_CONCURRENCY: '0' })
  expect(await agent.exit).toEqual({ code: 1, signal: null })
  expect(agent.output).toEqual([
    'The agent cannot start. JOB_CONCURRENCY is "0": expected a whole number from 1 to 10000.',
  ])
})

test('the program runs a real check against a real target', async () => {
  const target = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const agent = givenProcess('../src/main.ts')
  const { healthPort } = JSON.parse(await agent.says('agent started')) as { healthPort: number }
  const job = (url: string) => scriptedJob('', { definition: apiDefinition(url) })
  const jobs = [
    job(`http://127.0.0.1:${(target.address() as AddressInfo).port}/`),
    job(`http://127.0.0.1:${healthPort}/health`),
  ]
  server.give(...jobs)
  await server.until(() => server.results.length === 2)
  const [ofTarget, ofHealth] = jobs.map(({ lease }) => server.results.find((result) => result.lease === lease))
  expect(ofTarget).toMatchObject({ internalError: null, verdict: { outcome: 'pass', assertions: [{ passed: true }] } })
  // The agent's own endpoints are out of reach for checks.
  expect(ofHealth).toMatchObject({ internalError: null, verdict: { outcome: 'fail' } })
  target.close()
  target.closeAllConnections()
})
