import { describe, expect, it } from 'vitest'
import { givenDefinition } from '../../test-support/jobs.ts'
import { validateWhole } from '../rules.ts'
import { sslCheckType } from './definition.ts'
import type { SslEvidence, SslSeen } from './evidence.ts'

const certificate: SslSeen['certificate'] = {
  subject: 'CN=shop.example',
  subjectCN: 'shop.example',
  issuer: 'CN=Issuer, O=Authority',
  issuerCN: 'Issuer',
  notBefore: '2026-01-01T00:00:00.000Z',
  notAfter: '2026-04-01T00:00:00.000Z',
  daysUntilExpiry: 60,
  serialNumber: '01AB',
  fingerprintSha256: 'AA:BB',
  keyAlgorithm: 'rsa',
  keySizeBits: 2048,
  signatureAlgorithm: 'sha256WithRSAEncryption',
  sans: ['shop.example', 'www.shop.example'],
  selfSigned: false,
  isCA: false,
}
const goodResponse: SslSeen = {
  resolvedIp: '192.0.2.1',
  protocol: 'TLSv1.3',
  cipherSuite: 'TLS_AES_256_GCM_SHA384',
  chainTrusted: true,
  hostnameVerified: true,
  certificate,
  issuerFingerprintSha256: 'CC:DD',
  chain: [],
  troubles: [],
  handshakeTimeMs: 40,
  timingPhases: { dns: 1, tcp: 2, tls: 40, total: 43 },
  truncated: false,
}
const seen = (response: Partial<SslSeen> = {}): SslEvidence => ({
  request: { hostname: 'shop.example', port: 443, serverName: 'shop.example', ipFamily: 'IPv4' },
  response: { ...goodResponse, ...response },
})
const given = (config: Record<string, unknown> = {}, more: Record<string, unknown> = {}, assertions: object[] = []) =>
  givenDefinition(sslCheckType, {
    request: { sslConfig: { hostname: 'shop.example', ...config }, assertions },
    ...more,
  })

it('an SSL check verifies the certificate at port 443 unless it says otherwise', () => {
  expect(given({ serverName: '' })).toMatchObject({
    request: {
      sslConfig: {
        port: 443,
        serverName: null,
        ipFamily: 'IPv4',
        skipChainValidation: false,
        handshakeTimeoutMs: 10_000,
        alertDaysBeforeExpiry: 20,
      },
      assertions: [],
    },
    degradedResponseTime: 3000,
    maxResponseTime: 10_000,
  })
  expect(sslCheckType.target(given({ hostname: '::1', port: 8443 }))).toBe('[::1]:8443')
})

it('the limit for a failure is not below that for a degradation', () => {
  expect(validateWhole(sslCheckType, given({}, { degradedResponseTime: 500, maxResponseTime: 400 }))).toEqual([
    { path: 'maxResponseTime', message: 'must not be below degradedResponseTime (500), got 400' },
  ])
  expect(validateWhole(sslCheckType, given({}, { degradedResponseTime: 500, maxResponseTime: 500 }))).toEqual([])
})

describe('the verdict on a certificate', () => {
  const untrusted = { category: 'UNTRUSTED' as const, text: 'Nobody knows the issuer' }
  const mismatch = { category: 'HOSTNAME_MISMATCH' as const, text: 'It is for another name' }
  const judge = (config: object, troubles: SslSeen['troubles'], more = {}) =>
    sslCheckType.judge(given({ ...config }, more), seen({ troubles }), undefined)

  it('is a failure for the first thing that is wrong', () => {
    expect(judge({}, [])).toBeUndefined()
    expect(judge({}, [untrusted, mismatch])).toBe('Nobody knows the issuer')
  })

  it('overlooks the issuer alone where the chain is not to be verified', () => {
    expect(judge({ skipChainValidation: true }, [untrusted])).toBeUndefined()
    expect(judge({ skipChainValidation: true }, [untrusted, mismatch])).toBe('It is for another name')
  })

  it('is told by its category in the result', () => {
    const categoryOf = (troubles: SslSeen['troubles'], config = {}, error?: { phase: string }) =>
      sslCheckType.toResult(given(config), {
        evidence: seen({ troubles }),
        error: error && { code: 'X', text: 'x', network: true, ...error },
        assertions: [],
        cut: false,
      })['failureCategory']
    expect(categoryOf([])).toBeNull()
    expect(categoryOf([untrusted, mismatch])).toBe('UNTRUSTED')
    expect(categoryOf([untrusted], { skipChainValidation: true })).toBeNull()
    expect(categoryOf([], {}, { phase: 'tcp' })).toBe('CONNECTION')
    expect(categoryOf([], {}, { phase: 'tls' })).toBe('HANDSHAKE')
  })

  it('is the other way round when a failure is expected, but never without a handshake', () => {
    expect(judge({}, [mismatch], { shouldFail: true })).toBeUndefined()
    expect(judge({}, [], { shouldFail: true })).toMatch(/^Expected a certificate that is not valid/)
    const error = { phase: 'tls', code: 'ETIMEDOUT', text: 'Silence', network: true }
    expect(sslCheckType.judge(given({}, { shouldFail: true }), undefined, error)).toBe('Silence')
  })
})

it('few days left degrade, and so does a handshake that reaches its limit; the other limit fails', () => {
  const over = (response: Partial<SslSeen>) => sslCheckType.thresholds(given(), seen(response))
  expect(over({})).toEqual({ degraded: undefined, exceeded: undefined })
  expect(over({ certificate: { ...certificate, daysUntilExpiry: 20 } }).degraded).toBeUndefined()
  expect(over({ certificate: { ...certificate, daysUntilExpiry: 19 } }).degraded).toBe(
    'The certificate expires in 19 days, on 2026-04-01: fewer than 20 are left',
  )
  expect(over({ handshakeTimeMs: 2999 }).degraded).toBeUndefined()
  expect(over({ handshakeTimeMs: 3000 }).degraded).toMatch(/took 3000 ms, which reaches the limit of 3000 ms/)
  expect(over({ handshakeTimeMs: 10_000 }).exceeded).toMatch(/limit of 10000 ms/)
})

describe('assertions on a certificate', () => {
  const read = (source: string, property = '') => sslCheckType.assertionSources[source]?.read(seen(), property)

  it('read its properties, the connection, the time, and everything as JSON and text', () => {
    expect(read('CERTIFICATE', 'daysUntilExpiry')).toBe(60)
    expect(read('CERTIFICATE', 'sans')).toEqual(['shop.example', 'www.shop.example'])
    expect(read('CERTIFICATE', 'issuerFingerprintSha256')).toBe('CC:DD')
    expect(read('CERTIFICATE', 'constructor')).toBeUndefined()
    expect(read('CONNECTION', 'tlsVersion')).toBe(1.3)
    expect(read('CONNECTION', 'chainTrusted')).toBe(true)
    expect(read('RESPONSE_TIME')).toBe(40)
    expect(read('JSON_RESPONSE')).toMatchObject({ certificate: { issuer: 'CN=Issuer, O=Authority' } })
    expect(read('TEXT_RESPONSE')).toContain('"cipherSuite":"TLS_AES_256_GCM_SHA384"')
  })

  it('compare each property as its kind allows', () => {
    const problems = (property: string, comparison: string, target = '1') =>
      validateWhole(sslCheckType, given({}, {}, [{ source: 'CERTIFICATE', property, comparison, target }]))
    expect(problems('daysUntilExpiry', 'GREATER_THAN')).toEqual([])
    expect(problems('sans', 'CONTAINS')).toEqual([])
    expect(problems('selfSigned', 'GREATER_THAN')).toEqual([
      {
        path: 'request.assertions.0.comparison',
        message: 'must be one of EQUALS for CERTIFICATE selfSigned, got GREATER_THAN',
      },
    ])
    expect(problems('colour', 'EQUALS')[0]?.message).toMatch(/^must be one of daysUntilExpiry, /)
  })
})
