import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startDeadline } from '../deadline.ts'
import { createEgress } from '../egress/egress.ts'
import { guardedTlsConnect } from '../egress/guarded-socket.ts'
import { createHttpEngine } from '../http/http.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'
import { createTestAuthority } from '../../../test-support/certificates.ts'
import { secureSocket, type SecureOptions } from './tls.ts'

const authority = createTestAuthority()
afterAll(() => authority.remove())
const servers = startTestServers()
afterEach(() => servers.closeAll())

const trust = { ca: [authority.ca] }
const serve = (options: TlsOptions) =>
  servers.adopt(createServer(options, (socket) => socket.on('error', () => undefined)))

const connected = (port: number) =>
  new Promise<Socket>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => undefined)
  })

async function handshake(port: number, options: Partial<SecureOptions> = {}, limitMs = 3000) {
  const deadline = startDeadline(limitMs)
  const raw = await connected(port)
  try {
    const full = { host: 'localhost', port, skipSSL: false, trust, now: Date.now, ...options }
    return await secureSocket(raw, full, deadline)
  } finally {
    deadline.close()
    raw.destroy()
  }
}

// The direct path uses undocumented parts of Node: every case below runs on the documented path too.
describe.each(['direct', 'connect'] as const)('a TLS handshake by the %s path', (path) => {
  it('with a good certificate tells protocol, cipher and validity', async () => {
    const port = await serve(authority.leaf({ notAfter: '300102030405Z' }))
    const { facts, tlsMs } = await handshake(port, { path })
    expect(facts).toMatchObject({
      protocol: 'TLSv1.3',
      authorized: true,
      authorizationError: null,
      subject: 'CN=leaf.test',
      issuer: 'CN=Vedette Test Root',
      notAfter: Date.UTC(2030, 0, 2, 3, 4, 5),
    })
    expect(facts.cipher).toMatch(/^TLS_/)
    expect(facts.fingerprint256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(tlsMs).toBeGreaterThan(0)
  })

  it('sees the certificate every time: sessions are not resumed', async () => {
    const port = await serve(authority.leaf())
    for (let round = 0; round < 3; round += 1) {
      const { facts, socket } = await handshake(port, { path })
      expect(facts.subject).toBe('CN=leaf.test')
      expect(socket.isSessionReused()).toBe(false)
    }
  })

  it.each([
    [
      'expired',
      () => authority.leaf({ notAfter: '210304050600Z' }),
      'CERT_HAS_EXPIRED',
      'certificate of localhost expired 3 days ago: it was valid until 2021-03-04 05:06 UTC',
    ],
    [
      'not valid yet',
      () => authority.leaf({ notBefore: '480101000000Z' }),
      'CERT_NOT_YET_VALID',
      'certificate of localhost is not valid yet: it starts in 9795 days, on 2048-01-01 00:00 UTC',
    ],
    [
      'for somebody else',
      () => authority.leaf({ names: 'DNS:shop.example,DNS:*.shop.example,IP:10.0.0.1' }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'certificate is not for localhost: it covers shop.example, *.shop.example, 10.0.0.1',
    ],
    [
      'self-signed',
      () => authority.selfSigned(),
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'certificate of localhost is self-signed (CN=self.test)',
    ],
  ] as const)('refuses a certificate that is %s, and takes it with skipSSL', async (_, make, code, text) => {
    const port = await serve(make())
    const now = () => Date.parse('2021-03-07T05:06:00Z')
    const refused = handshake(port, { path, now })
    await expect(refused).rejects.toMatchObject({ phase: 'tls', code, message: text, network: true })
    const { facts } = await handshake(port, { path, skipSSL: true })
    expect(facts).toMatchObject({ authorized: false, authorizationError: code })
  })

  it('refuses an unknown issuer and names it', async () => {
    const port = await serve(authority.leaf())
    const promise = handshake(port, { path, trust: {} })
    await expect(promise).rejects.toMatchObject({ phase: 'tls', message: expect.stringContaining('Vedette Test Root') })
  })

  it('looks for the address when the host is one', async () => {
    const port = await serve(authority.leaf({ names: 'IP:127.0.0.1' }))
    expect((await handshake(port, { path, host: '127.0.0.1' })).facts.authorized).toBe(true)
    await expect(handshake(port, { path, host: '127.0.0.2' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
  })

  it('takes a name with a final dot for the name', async () => {
    const port = await serve(authority.leaf())
    expect((await handshake(port, { path, host: 'localhost.' })).facts.authorized).toBe(true)
  })

  it('with a port that speaks no TLS says so', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    await expect(handshake(port, { path })).rejects.toThrow(`localhost:${port} does not speak TLS on this port`)
  })

  it('ends with its deadline when the server holds still', async () => {
    const port = await servers.tcp(() => undefined)
    await expect(handshake(port, { path }, 150)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: `connected to localhost:${port}, but the TLS handshake did not finish within 150 ms`,
    })
  })

  it.each(['end', 'resetAndDestroy'] as const)('tells when the server hangs up (%s)', async (way) => {
    const port = await servers.tcp((socket) => socket.once('data', () => void socket[way]()))
    await expect(handshake(port, { path })).rejects.toMatchObject({ phase: 'tls', code: 'ECONNRESET' })
  })

  it('tells when the server knows only old protocols', async () => {
    const port = await serve({
      ...authority.leaf(),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await expect(handshake(port, { path })).rejects.toThrow(/no TLS version that is still considered safe/)
  })
})

describe('HTTPS through the engine', () => {
  const send = async (port: number, skipSSL: boolean, ca = [authority.ca]) => {
    const engine = createHttpEngine({ egress: createEgress(), now: Date.now })
    const deadline = startDeadline(3000)
    const url = new URL(`https://localhost:${port}/`)
    const fixed = { method: 'GET', headers: [], body: undefined, family: 'IPv4' as const, followRedirects: true }
    const outcome = await engine.send({ ...fixed, url, skipSSL, trust: { ca } }, trusted, deadline)
    deadline.close()
    return outcome
  }
  const serveHttps = (certificate: { key: string; cert: string }) =>
    servers.adopt(createHttpsServer(certificate, (_, response) => response.end('safe')))

  it('gives the answer with the facts of the handshake and its phase', async () => {
    const port = await serveHttps(authority.leaf())
    const { response, error, certificateNotAfter } = await send(port, false)
    expect(error).toBeUndefined()
    expect(response).toMatchObject({ body: 'safe', tls: { authorized: true, subject: 'CN=leaf.test' } })
    expect(response?.timingPhases.tls).toBeGreaterThan(0)
    expect(certificateNotAfter).toBe(response?.tls?.notAfter)
  })

  it('knows the end of validity even of a certificate it refuses', async () => {
    const port = await serveHttps(authority.leaf({ notAfter: '210304050600Z' }))
    const { response, error, certificateNotAfter } = await send(port, false)
    expect(response).toBeUndefined()
    expect(error).toMatchObject({ phase: 'tls', code: 'CERT_HAS_EXPIRED', network: true })
    expect(certificateNotAfter).toBe(Date.UTC(2021, 2, 4, 5, 6))
    const skipped = await send(port, true)
    expect(skipped.response?.body).toBe('safe')
    expect(skipped.response?.tls).toMatchObject({ authorized: false, authorizationError: 'CERT_HAS_EXPIRED' })
  })

  it('is the same for sockets of notifications, which never skip verification', async () => {
    const port = await serveHttps(authority.leaf())
    const options = { limitMs: 3000, trust }
    const socket = await guardedTlsConnect('localhost', port, trusted, options)
    expect(socket.encrypted).toBe(true)
    socket.destroy()
    await expect(guardedTlsConnect('localhost', port, trusted, { limitMs: 3000 })).rejects.toMatchObject({
      phase: 'tls',
    })
  })
})
