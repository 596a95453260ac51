import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { Job } from '@vedette/wire'
import { startAgent } from './start-agent.ts'
import { givenBlackHole } from '../test-support/black-hole.ts'
import { FakeServer } from '../test-support/fake-server.ts'
import { scriptedJob } from '../test-support/jobs.ts'

const closing: (() => Promise<unknown> | void)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const tcpJob = (port: number): Job =>
  scriptedJob('', {
    type: 'TCP',
    definition: {
      request: { hostname: '127.0.0.1', port, data: null, ipFamily: 'IPv4', assertions: [] },
      shouldFail: false,
      degradedResponseTime: 3000,
      maxResponseTime: 5000,
      environmentVariables: [],
    },
  })

async function givenAgent() {
  const server = new FakeServer()
  server.renewEveryMs = 500
  await server.start()
  closing.push(() => server.stop())
  const spoolDir = mkdtempSync(join(tmpdir(), 'agent-'))
  closing.push(() => rmSync(spoolDir, { recursive: true }))
  const settings = { url: server.url, key: server.key, concurrency: null, healthPort: null, spoolDir }
  const agent = await startAgent(
    {
      ...settings,
      logLevel: 'silent',
      reportCrashes: true,
      drainGraceMs: 0,
      controlName: null,
      packetCapture: false,
      sharesServerClock: true,
    },
    { log: pino({ level: 'silent' }) },
  )
  closing.push(() => agent.stop(0))
  return { agent, server }
}

async function givenHealthyTarget(): Promise<number> {
  const server = createServer((socket) => socket.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a thousand checks whose targets answer nothing keep a healthy check from nothing', async () => {
  const hole = await givenBlackHole()
  closing.push(() => hole.close())
  const { agent, server } = await givenAgent()
  const port = await givenHealthyTarget()
  const resultOf = async (job: Job) => {
    const find = () => server.results.find(({ lease }) => lease === job.lease)
    await server.until(() => find() !== undefined)
    return find()
  }
  const before = tcpJob(port)
  server.give(before)
  await resultOf(before)
  const residentBefore = process.memoryUsage.rss()
  const hanging = Array.from({ length: 1000 }, () => tcpJob(hole.port))
  server.give(...hanging)
  await server.until(() => agent.health().details.running === 1000)
  const kilobytes = (process.memoryUsage.rss() - residentBefore) / 1024 / 1000
  if (process.env['VEDETTE_MEASURE'] !== undefined) process.stdout.write(`${kilobytes.toFixed(1)} kB per waiting run\n`)
  expect(kilobytes).toBeLessThan(128)

  const healthy = tcpJob(port)
  const givenAt = Date.now()
  server.give(healthy)
  const report = await resultOf(healthy)
  expect(report).toMatchObject({ verdict: { outcome: 'pass', degraded: false } })
  expect(Number(report?.startedAt) - givenAt).toBeLessThan(2000)
  expect(server.results).toHaveLength(2)
  expect(agent.health().details.running).toBe(1000)
  await server.until(() => server.renewals.some(({ leases }) => leases.length === 1000))
})
