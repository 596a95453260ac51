import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { FakeServer } from '../../test-support/fake-server.ts'
import { scriptedJob } from '../../test-support/jobs.ts'
import { startAgent } from '../start-agent.ts'

const noScripts = { localSetupScript: null, localTearDownScript: null, setupSnippetId: null, tearDownSnippetId: null }
const request = {
  method: 'GET',
  followRedirects: true,
  skipSSL: false,
  ipFamily: 'IPv4',
  body: '',
  bodyType: 'NONE',
  headers: [],
  queryParameters: [],
  assertions: [],
  basicAuth: { username: '', password: '' },
}

const jobFor = (url: string) =>
  scriptedJob('', {
    type: 'API',
    definition: {
      ...noScripts,
      request: { ...request, url },
      shouldFail: false,
      degradedResponseTime: 5000,
      maxResponseTime: 20_000,
      environmentVariables: [],
    },
  })

/** A port of this machine on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('an agent tells the way and the packets of a run that was refused, after its result, and nothing of one that was answered', async () => {
  const server = new FakeServer()
  await server.start()
  const answering = createServer((socket) => socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n'))
  answering.listen(0, '127.0.0.1')
  await once(answering, 'listening')
  const spoolDir = mkdtempSync(join(tmpdir(), 'agent-'))
  const agent = await startAgent(
    {
      url: server.url,
      key: server.key,
      concurrency: null,
      healthPort: null,
      spoolDir,
      logLevel: 'silent',
      reportCrashes: true,
      drainGraceMs: 0,
      controlName: null,
      packetCapture: true,
      sharesServerClock: true,
    },
    { log: pino({ level: 'silent' }) },
  )
  const refused = jobFor(`http://127.0.0.1:${await closedPort()}/`)
  const failed = jobFor(`http://127.0.0.1:${(answering.address() as AddressInfo).port}/`)
  server.give(refused, failed)
  await server.until(() => server.diagnostics.length > 0)
  expect(server.hellos[0]?.capabilities).toEqual(expect.arrayContaining(['traceroute', 'capture']))
  expect(server.results.map(({ lease }) => lease).toSorted()).toEqual([refused.lease, failed.lease].toSorted())
  const [told] = server.diagnostics
  expect(told).toMatchObject({
    agentId: agent.id,
    lease: refused.lease,
    traceroute: { hostname: '127.0.0.1', destinationReached: true, totalHops: 1 },
  })
  expect(Buffer.from(told?.capture ?? '', 'base64').readUInt32LE(0)).toBe(0xa1b2c3d4)
  await agent.stop(0)
  expect(server.diagnostics).toHaveLength(1)
  answering.close()
  await server.stop()
  rmSync(spoolDir, { recursive: true })
})
