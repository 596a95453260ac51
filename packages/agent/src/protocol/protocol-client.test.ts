import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { systemClock } from '@vedette/wire'
import { afterEach, expect, test } from 'vitest'
import { ProtocolClient, type ClientOptions } from './protocol-client.ts'
import { FakeServer } from '../../test-support/fake-server.ts'
import { startProxy } from '../../test-support/proxy.ts'

const closing: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function givenClient(url: string, changes: Partial<ClientOptions> = {}): ProtocolClient {
  const client = new ProtocolClient({ url, key: 'vdl_test', clock: systemClock, timeoutMs: 2000, ...changes })
  closing.unshift(() => client.close())
  return client
}

async function givenServer(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const agentId = 'b3b0f1a8-6a5c-4a53-9a52-0d6c7e3f8a10'
const goodbye = (client: ProtocolClient) => client.goodbye({ agentId })

test('large bodies are compressed, small ones are not worth it', async () => {
  const server = new FakeServer()
  await server.start()
  closing.push(() => server.stop())
  const client = givenClient(server.url, { compress: true })
  await client.release({ agentId, leases: Array.from({ length: 100 }, (_, index) => `lease number ${index}`) })
  await client.release({ agentId, leases: ['one'] })
  expect(server.encodings).toEqual(['gzip', undefined])
  expect(server.released).toHaveLength(101)
})

test('more leases than a server reads at once go in several messages', async () => {
  const server = new FakeServer()
  await server.start()
  closing.push(() => server.stop())
  const client = givenClient(server.url)
  const leases = Array.from({ length: 2500 }, (_, index) => `${'x'.repeat(600)} ${index}`)
  server.cancelled = ['an attempt']
  const vitals = { eventLoopLagMs: 0, residentMb: 1, running: 2500, spooled: 0 }
  const { cancelled } = await client.renew({ agentId, leases, vitals, crashes: [{ at: 1, code: 'AGENT_CRASH' }] }, [])
  expect(cancelled).toEqual(['an attempt'])
  expect(server.renewals.map((renewal) => renewal.leases.length)).toEqual([1000, 1000, 500])
  expect(server.renewals.flatMap((renewal) => renewal.leases)).toEqual(leases)
  expect(server.crashes).toHaveLength(1)
  await client.release({ agentId, leases })
  expect(server.released).toEqual(leases)
})

test('over loopback nothing is compressed', async () => {
  const server = new FakeServer()
  await server.start()
  closing.push(() => server.stop())
  await givenClient(server.url).release({ agentId, leases: ['x'.repeat(1900)] })
  expect(server.encodings).toEqual([undefined])
})

test('a server behind a path is reached there', async () => {
  let path = ''
  const { url } = await givenServer((request, response) => {
    path = request.url ?? ''
    response.end()
  })
  await goodbye(givenClient(`${url}/monitoring/`))
  expect(path).toBe('/monitoring/agent/v2/goodbye')
})

test.each([
  [401, {}, { kind: 'denied' }],
  [403, {}, { kind: 'denied' }],
  [400, {}, { kind: 'rejected' }],
  [413, {}, { kind: 'rejected' }],
  [302, { location: 'http://127.0.0.1:1/' }, { kind: 'busy' }],
  [500, {}, { kind: 'busy' }],
  [503, { 'retry-after': '1' }, { kind: 'busy', retryAfterMs: 1000 }],
  [503, { 'retry-after': '300' }, { kind: 'busy', retryAfterMs: 2000 }],
  [429, { 'retry-after': '30' }, { kind: 'busy', retryAfterMs: 30_000 }],
  [429, { 'retry-after': '99999' }, { kind: 'busy', retryAfterMs: 60_000 }],
  [429, { 'retry-after': 'soon' }, { kind: 'busy', retryAfterMs: undefined }],
])('an answer %i %o is a problem of its kind', async (status, headers, problem) => {
  const body = JSON.stringify({ statusCode: status, error: 'Some Error', message: 'because' })
  const { url } = await givenServer((_, response) => response.writeHead(status, headers).end(body))
  await expect(goodbye(givenClient(url))).rejects.toMatchObject({ ...problem, message: `${status} because` })
})

test.each([
  [404, '<html>nginx</html>', 'busy'],
  [404, 'default backend - 404', 'busy'],
  [400, '{"message":"The plain HTTP request was sent to HTTPS port"}', 'busy'],
  [413, '<html>nginx</html>', 'rejected'],
])('an answer %i that a proxy gives with %s is a problem of kind %s', async (status, body, kind) => {
  const { url } = await givenServer((_, response) => response.writeHead(status).end(body))
  await expect(goodbye(givenClient(url))).rejects.toMatchObject({ kind })
})

test('an answer that is not of the protocol is named as such', async () => {
  const { url } = await givenServer((_, response) => response.end('<html>'))
  const call = givenClient(url).renew(
    {
      agentId,
      leases: [],
      vitals: { eventLoopLagMs: 0, residentMb: 1, running: 0, spooled: 0 },
    },
    [],
  )
  await expect(call).rejects.toMatchObject({
    kind: 'away',
    message: expect.stringContaining('is this address a Vedette'),
  })
})

test('a server that does not answer is given up in time', async () => {
  const { url } = await givenServer(() => undefined)
  await expect(givenClient(url, { timeoutMs: 50 }).results('{}', [])).rejects.toMatchObject({ kind: 'away' })
})

test('a server that falls silent in the middle of its answer is given up in time', async () => {
  const { url } = await givenServer((_, response) => void response.write('{"half":'))
  const client = givenClient(url, { timeoutMs: 100 })
  for (let time = 0; time < 3; time++) await expect(client.results('{}', [])).rejects.toMatchObject({ kind: 'away' })
})

test('calls that are given up at once use up no connections', async () => {
  let calls = 0
  const { url } = await givenServer((_, response) => {
    calls += 1
    response.end(JSON.stringify({ serverTime: 0, accepted: [], rejected: [] }))
  })
  const client = givenClient(url)
  for (let time = 0; time < 30; time++) {
    await expect(client.results('{}', [AbortSignal.abort()])).rejects.toMatchObject({ kind: 'away' })
  }
  await client.results('{}', [])
  expect(calls).toBe(1)
})

test('a server that is not there is away', async () => {
  const { url, server } = await givenServer(() => undefined)
  server.close()
  await expect(goodbye(givenClient(url))).rejects.toMatchObject({
    kind: 'away',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test('connections are kept, and one that the server closed meanwhile is replaced without notice', async () => {
  const sockets = new Set<Socket>()
  let calls = 0
  const { url } = await givenServer((request, response) => {
    const known = sockets.has(request.socket)
    sockets.add(request.socket)
    calls += 1
    // The second call on a connection meets a server that has just let go of it.
    if (known && calls === 3) request.socket.resetAndDestroy()
    else response.end()
  })
  const client = givenClient(url)
  await goodbye(client)
  await goodbye(client)
  expect(sockets.size).toBe(1)
  await goodbye(client)
  expect(sockets.size).toBe(2)
})

async function givenProxy(options: Parameters<typeof startProxy>[0]) {
  const proxy = await startProxy(options)
  closing.push(() => proxy.stop())
  return proxy
}

test('through a proxy connections are kept as well, and a server with an http address is reached by a tunnel too', async () => {
  const server = new FakeServer()
  await server.start()
  closing.push(() => server.stop())
  const proxy = await givenProxy({ leadsTo: server.port })
  const client = givenClient('http://vedette.test:81', { proxy: `http://127.0.0.1:${proxy.port}/` })
  await goodbye(client)
  await goodbye(client)
  expect(server.goodbyes).toBe(2)
  expect(proxy.asked).toEqual(['vedette.test:81'])
})

test('a proxy that answers nothing is given up in time', async () => {
  const proxy = await givenProxy({ leadsTo: 1, isSilent: true })
  const address = `http://127.0.0.1:${proxy.port}/`
  const client = givenClient('https://vedette.test', { proxy: address, timeoutMs: 50 })
  for (let time = 0; time < 3; time++)
    await expect(goodbye(client)).rejects.toMatchObject({ kind: 'away', message: expect.stringContaining('no answer') })
})

test('a proxy that cannot reach the server, or ends the connection, is named', async () => {
  const proxy = await givenProxy({ leadsTo: 1 })
  const address = `http://ann:hush@127.0.0.1:${proxy.port}/`
  const named = `the proxy 127.0.0.1:${proxy.port}`
  const refused = goodbye(givenClient('https://vedette.test', { proxy: address }))
  await expect(refused).rejects.toMatchObject({
    kind: 'away',
    message: expect.stringContaining(`${named} does not accept the user and password`),
  })
  const cut = goodbye(givenClient('https://vedette.test', { proxy: address.replace('ann:hush@', '') }))
  await expect(cut).rejects.toMatchObject({ kind: 'away', message: expect.stringContaining(named) })
})
