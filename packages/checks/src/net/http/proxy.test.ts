import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../../test-support/certificates.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'
import { startDeadline } from '../deadline.ts'
import { createEgress } from '../egress/egress.ts'
import type { HttpRequest } from './http-message.ts'
import { createHttpEngine } from './http.ts'
import { readProxy } from './proxy.ts'

const authority = createTestAuthority()
afterAll(() => authority.remove())
const servers = startTestServers()
afterEach(() => servers.closeAll())

const trust = { ca: [authority.ca] }
const serve = (listener: RequestListener) => servers.adopt(createServer(listener))
const serveSecurely = (listener: RequestListener) => servers.adopt(createHttpsServer(authority.leaf(), listener))

interface Asked {
  what: string
  authorization: string | undefined
}

/** Makes the server a proxy that tells what it was asked for. `refuse`: its answer to every CONNECT. */
function asProxy(server: Server, refuse?: string): Asked[] {
  const asked: Asked[] = []
  server.on('connect', (request, client) => {
    asked.push({ what: `CONNECT ${request.url}`, authorization: request.headers['proxy-authorization'] })
    client.on('error', () => undefined)
    if (refuse !== undefined) return void client.end(`HTTP/1.1 ${refuse}\r\n\r\n`)
    const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    target.on('error', () => client.destroy())
  })
  server.on('request', (request, response) => {
    asked.push({ what: `${request.method} ${request.url}`, authorization: request.headers['proxy-authorization'] })
    if (refuse !== undefined) return void response.writeHead(Number(refuse.slice(0, 3))).end()
    response.end('sent on')
  })
  return asked
}

async function givenProxy(refuse?: string) {
  const server = createServer()
  const asked = asProxy(server, refuse)
  return { asked, port: await servers.adopt(server) }
}

async function send(url: string, proxy: string, more: Partial<HttpRequest> = {}, policy = trusted) {
  const engine = createHttpEngine({ egress: createEgress(), now: Date.now, proxy: readProxy(proxy) })
  const deadline = startDeadline(3000)
  const request = { method: 'GET', headers: [], body: undefined, family: 'IPv4' as const, skipSSL: false, trust }
  try {
    return await engine.send({ ...request, followRedirects: true, url: new URL(url), ...more }, policy, deadline)
  } finally {
    deadline.close()
  }
}

describe('requests through a proxy', () => {
  it('to http targets are handed to it whole, with user and password', async () => {
    const { asked, port } = await givenProxy()
    const headers = [['proxy-authorization', 'Basic of-the-check']] as const
    const { response } = await send('http://shop.example:8080/a?b=1', `http://ann:s%40cret@127.0.0.1:${port}`, {
      headers,
    })
    expect(response).toMatchObject({ status: 200, body: 'sent on', remoteAddress: '127.0.0.1' })
    const authorization = `Basic ${Buffer.from('ann:s@cret').toString('base64')}`
    expect(asked).toEqual([{ what: 'GET http://shop.example:8080/a?b=1', authorization }])
  })

  it('to https targets go through a tunnel, and the certificate is that of the target', async () => {
    const target = await serveSecurely((request, response) => response.end(`${request.url} ${request.headers.host}`))
    const { asked, port } = await givenProxy()
    const { response, error } = await send(`https://localhost:${target}/path`, `http://127.0.0.1:${port}`)
    expect(error).toBeUndefined()
    expect(response).toMatchObject({ status: 200, body: `/path localhost:${target}`, tls: { subject: 'CN=leaf.test' } })
    expect(response?.timingPhases.tls).toBeGreaterThan(0)
    expect(asked).toEqual([{ what: `CONNECT localhost:${target}`, authorization: undefined }])
  })

  it('may reach the proxy itself by TLS', async () => {
    const target = await serveSecurely((_, response) => response.end('twice'))
    const server = createHttpsServer(authority.leaf())
    const asked = asProxy(server)
    const proxy = `https://localhost:${await servers.adopt(server)}`
    expect((await send(`https://localhost:${target}/`, proxy)).response?.body).toBe('twice')
    expect((await send('http://shop.example/', proxy)).response?.body).toBe('sent on')
    expect(asked.map(({ what }) => what)).toEqual([`CONNECT localhost:${target}`, 'GET http://shop.example/'])
  })

  it('follow redirects through it', async () => {
    const end = await serveSecurely((_, response) => response.end('the end'))
    const server = createServer((_, response) =>
      response.writeHead(302, { location: `https://localhost:${end}/` }).end(),
    )
    const asked: string[] = []
    server.on('connect', (request, client) => {
      asked.push(request.url ?? '')
      const target = connect(end, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(client).pipe(target)
      })
    })
    const { response } = await send('http://shop.example/', `http://127.0.0.1:${await servers.adopt(server)}`)
    expect([response?.body, asked]).toEqual(['the end', [`localhost:${end}`]])
  })

  it('fail when the proxy cannot reach the target', async () => {
    const { port } = await givenProxy('502 Bad Gateway')
    const { error, response } = await send('https://shop.example/', `http://127.0.0.1:${port}`)
    expect(response).toBeUndefined()
    expect(error).toEqual({
      phase: 'tcp',
      code: 'PROXY_502',
      network: true,
      text: 'TCP: the proxy could not connect to shop.example:443: 502 Bad Gateway',
    })
  })

  it('are not known when the proxy is away, refuses, or does not accept the password', async () => {
    const closed = await serve(() => undefined)
    await servers.closeAll()
    const trouble = async (url: string, port: number) =>
      send(url, `http://ann:hush-hush@127.0.0.1:${port}`).then(
        () => 'none',
        (error: unknown) => `${(error as { code?: string }).code}: ${(error as Error).message}`,
      )
    const named = (port: number) => `PROXY: The proxy of the location, 127.0.0.1:${port},`
    for (const url of ['http://shop.example/', 'https://shop.example/'])
      expect(await trouble(url, closed)).toBe(
        `${named(closed)} cannot be used: 127.0.0.1:${closed} refused the connection: nothing listens on that port, or a firewall refuses`,
      )
    const picky = (await givenProxy('407 Proxy Authentication Required')).port
    for (const url of ['http://shop.example/', 'https://shop.example/'])
      expect(await trouble(url, picky)).toBe(`${named(picky)} does not accept the user and password it was given (407)`)
    const strict = (await givenProxy('403 Forbidden')).port
    expect(await trouble('https://shop.example/', strict)).toBe(
      `${named(strict)} refuses to connect to shop.example:443: 403 Forbidden`,
    )
    const rude = await servers.tcp((socket) => socket.once('data', () => socket.destroy()))
    expect(await trouble('https://shop.example/', rude)).toContain(`${named(rude)} ended the connection`)
  })

  it('to addresses that are never reached are not even asked for', async () => {
    const { asked, port } = await givenProxy()
    const own = { privateTargets: true, deniedTargets: [{ address: 'vault.example', port: 80 }] }
    for (const [url, policy] of [
      ['http://169.254.169.254/latest', trusted],
      ['https://[fe80::1]/', trusted],
      ['http://vault.example/', own],
    ] as const)
      expect((await send(url, `http://127.0.0.1:${port}`, {}, policy)).error?.code, url).toBe('EGRESS_DENIED')
    expect(asked).toEqual([])
  })

  it('need the address of one', () => {
    for (const address of ['', 'proxy:3128', 'ftp://proxy', 'hush-hush'])
      expect(() => readProxy(address)).toThrow('The address of the proxy of the location is no http or https address')
  })
})
