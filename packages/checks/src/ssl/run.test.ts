import { createServer, type TlsOptions } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import { createTestAuthority } from '../../test-support/certificates.ts'
import { startTestServers, trusted } from '../../test-support/servers.ts'
import type { RunContext } from '../core/check-type.ts'
import { createResolver } from '../net/dns/dns.ts'
import { createEgress } from '../net/egress/egress.ts'
import { completeSslRequest } from './request-shape.ts'
import { createSslRun } from './run.ts'

const servers = startTestServers()
const authority = createTestAuthority()
afterEach(() => servers.closeAll())
afterAll(() => authority.remove())

const serve = (options: TlsOptions) => servers.adopt(createServer(options))
const names = new Map([['shop.example', ['127.0.0.1']]])

function verify(
  port: number,
  config: Partial<Parameters<typeof completeSslRequest>[0]['sslConfig']> = {},
  { ca = [authority.ca], ...more }: Partial<RunContext> & { ca?: string[] } = {},
) {
  const egress = createEgress({ resolve: createResolver({ nameservers: [], hosts: names }) })
  return createSslRun({ egress, ca })(
    { request: completeSslRequest({ sslConfig: { hostname: '127.0.0.1', port, ...config } }) },
    {
      signal: new AbortController().signal,
      deadline: performance.now() + 10_000,
      egress: trusted,
      variables: [],
      clock: systemClock,
      random: Math.random,
      ...more,
    },
  )
}

/** Categories of what is wrong, and their texts. */
const troublesAt = async (...of: Parameters<typeof verify>) => {
  const { evidence, error } = await verify(...of)
  expect(error).toBeUndefined()
  return evidence?.response?.troubles.map(({ category, text }) => `${category}: ${text}`)
}

describe('a run of an SSL check', () => {
  it('sees the handshake, the certificate and the chain above it', async () => {
    const { cert, key } = authority.leaf({ names: 'DNS:shop.example,DNS:*.shop.example,IP:127.0.0.1' })
    const port = await serve({ key, cert: cert + authority.ca })
    const { evidence, certificate, error } = await verify(port)
    expect(error).toBeUndefined()
    expect(certificate?.notAfter).toBe(Date.UTC(2049, 11, 31))
    expect(evidence?.response).toMatchObject({
      resolvedIp: '127.0.0.1',
      protocol: 'TLSv1.3',
      chainTrusted: true,
      hostnameVerified: true,
      troubles: [],
      certificate: {
        subject: 'CN=leaf.test',
        subjectCN: 'leaf.test',
        issuerCN: 'Vedette Test Root',
        notAfter: '2049-12-31T00:00:00.000Z',
        keyAlgorithm: 'ec',
        keySizeBits: 256,
        signatureAlgorithm: 'ecdsa-with-SHA256',
        sans: ['shop.example', '*.shop.example', '127.0.0.1'],
        selfSigned: false,
        isCA: false,
      },
      chain: [{ subjectCN: 'Vedette Test Root', selfSigned: true, isCA: true }],
    })
    const { chain, issuerFingerprintSha256, timingPhases, handshakeTimeMs } = evidence?.response ?? {}
    expect(issuerFingerprintSha256).toBe(chain?.[0]?.fingerprintSha256)
    expect(timingPhases?.tls).toBe(handshakeTimeMs)
  })

  it('counts whole days until the certificate expires', async () => {
    const port = await serve(authority.leaf({ notAfter: '300102030405Z' }))
    const at = (day: number) => ({ clock: { ...systemClock, now: () => Date.UTC(2030, 0, day, 3, 4, 4) } })
    const daysAt = async (day: number) =>
      (await verify(port, {}, at(day))).evidence?.response?.certificate.daysUntilExpiry
    expect([await daysAt(1), await daysAt(2), await daysAt(3)]).toEqual([1, 0, -1])
  })

  it.each([
    ['expired', () => authority.leaf({ notAfter: '210304050600Z' }), /^EXPIRED: .* was valid until 2021-03-04/],
    [
      'not valid yet',
      () => authority.leaf({ notBefore: '480101000000Z' }),
      /^NOT_YET_VALID: .* starts in \d+ days, on 2048-01-01/,
    ],
    ['self-signed', () => authority.selfSigned(), /^UNTRUSTED: .* is self-signed/],
    [
      'for another name',
      () => authority.leaf({ names: 'DNS:a.example' }),
      /^HOSTNAME_MISMATCH: .* it covers a.example/,
    ],
  ])('says what is wrong with a certificate that is %s', async (_, make, says) => {
    const troubles = await troublesAt(await serve(make()))
    expect(troubles?.[0]).toMatch(says)
  })

  it('finds more than one thing that is wrong, what counts most first', async () => {
    const port = await serve(authority.leaf({ notAfter: '210304050600Z', names: 'DNS:a.example' }))
    const { evidence } = await verify(port)
    expect(evidence?.response?.troubles.map(({ category }) => category)).toEqual(['EXPIRED', 'HOSTNAME_MISMATCH'])
    expect(evidence?.response).toMatchObject({ chainTrusted: false, hostnameVerified: false })
    const unknown = await verify(await serve(authority.leaf({ names: 'DNS:a.example' })), {}, { ca: [] })
    const both = unknown.evidence?.response?.troubles.map(({ category }) => category)
    expect(both).toEqual(['UNTRUSTED', 'HOSTNAME_MISMATCH'])
  })

  it('asks for the server name and verifies that one', async () => {
    const asked: string[] = []
    const port = await serve({
      ...authority.leaf({ names: 'DNS:shop.example' }),
      SNICallback: (name, settle) => {
        asked.push(name)
        settle(null)
      },
    })
    expect(await troublesAt(port, { serverName: 'shop.example' })).toEqual([])
    expect(await troublesAt(port, { hostname: 'shop.example' })).toEqual([])
    expect((await troublesAt(port))?.[0]).toMatch(/^HOSTNAME_MISMATCH/)
    expect(asked).toEqual(['shop.example', 'shop.example'])
  })

  it('shows a client certificate to the server it is for', async () => {
    const port = await serve({ ...authority.leaf(), ca: authority.ca, requestCert: true, maxVersion: 'TLSv1.2' })
    const refused = await verify(port)
    expect(refused.error).toMatchObject({ phase: 'tls' })
    const clientCertificates = [{ host: '127.0.0.1', ca: null, ...authority.leaf() }]
    expect((await verify(port, {}, { clientCertificates })).error).toBeUndefined()
  })

  it('gives a handshake up after its own limit', async () => {
    const port = await servers.tcp(() => undefined)
    const { error, evidence } = await verify(port, { handshakeTimeoutMs: 1000 })
    expect(error).toMatchObject({ phase: 'tls', code: 'ETIMEDOUT', network: true })
    expect(error?.text).toContain('the TLS handshake did not finish within 1 s')
    expect(evidence).toMatchObject({ request: { hostname: '127.0.0.1', serverName: '127.0.0.1' } })
    expect(evidence?.response).toBeUndefined()
  })

  it('says so when there is no TLS', async () => {
    const port = await servers.tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    expect((await verify(port)).error?.text).toMatch(/does not speak TLS on this port/)
  })
})
