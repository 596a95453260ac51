import type { TLSSocket } from 'node:tls'
import { certificateFor } from '../core/client-certificates.ts'
import type { Run, RunContext } from '../core/check-type.ts'
import { observeAttempt, type Finding } from '../net/attempt.ts'
import { startDeadline, type Deadline } from '../net/deadline.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import { normaliseHost } from '../net/egress/host-name.ts'
import { rounded, withTotal } from '../net/phases.ts'
import { observedText, TargetError } from '../net/target-error.ts'
import { certificateTrouble, coversHost } from '../net/tls/certificate.ts'
import type { TrustSettings } from '../net/tls/secure-contexts.ts'
import { secureSocket, type SecuredSocket } from '../net/tls/tls.ts'
import { certificateSeen, chainOf } from './certificates.ts'
import type { SslDefinition } from './definition.ts'
import type { CertificateTrouble, SslEvidence, SslSeen } from './evidence.ts'
import { nameOf, type SslConfig } from './request-shape.ts'

const attemptTimeoutMs = 30_000

type Runnable = Pick<SslDefinition, 'request'>

/** What a run is made of; given by tests. */
interface SslRunParts {
  egress: Egress
  /** Authorities trusted in place of the usual ones, PEM. */
  ca?: readonly string[]
}

const dateCodes = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** Everything that is wrong with a certificate, in the order in which it counts. */
function troublesOf({ socket, facts }: SecuredSocket, name: string, nowMs: number): SslSeen['troubles'] {
  const certificate = socket.getPeerCertificate(false)
  const text = (code: string) => observedText('tls', certificateTrouble(code, name, certificate, nowMs))
  const troubles: SslSeen['troubles'] = []
  const add = (category: CertificateTrouble, code: string) => troubles.push({ category, text: text(code) })
  if (facts.notAfter < nowMs) add('EXPIRED', 'CERT_HAS_EXPIRED')
  if (facts.notBefore > nowMs) add('NOT_YET_VALID', 'CERT_NOT_YET_VALID')
  const code = facts.authorizationError
  const isSaid = code !== null && dateCodes.has(code) && troubles.length > 0
  if (code !== null && code !== 'ERR_TLS_CERT_ALTNAME_INVALID' && !isSaid) add('UNTRUSTED', code)
  if (!coversHost(certificate, name)) add('HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID')
  return troubles
}

/** The chain is read last, because Node gives it away with the certificate. */
function seenOf(secured: SecuredSocket, of: { name: string; nowMs: number }, phases: { dns: number; tcp: number }) {
  const { socket, facts, tlsMs } = secured
  const troubles = troublesOf(secured, of.name, of.nowMs)
  const [certificate, ...above] = chainOf(socket).map((each) => certificateSeen(each, of.nowMs))
  if (certificate === undefined) throw new Error('A handshake without a certificate is refused before')
  const isSelfIssued = certificate.selfSigned ? certificate.fingerprintSha256 : ''
  return {
    protocol: facts.protocol,
    cipherSuite: facts.cipher,
    chainTrusted: facts.authorizationError === null || facts.authorizationError === 'ERR_TLS_CERT_ALTNAME_INVALID',
    hostnameVerified: !troubles.some(({ category }) => category === 'HOSTNAME_MISMATCH'),
    certificate,
    issuerFingerprintSha256: above[0]?.fingerprintSha256 ?? isSelfIssued,
    chain: above,
    troubles,
    handshakeTimeMs: rounded(tlsMs),
    timingPhases: withTotal({ ...phases, tls: tlsMs }),
    truncated: false,
  }
}

async function shake(
  raw: Parameters<typeof secureSocket>[0],
  config: SslConfig,
  { trust, context, deadline }: { trust: TrustSettings; context: RunContext; deadline: Deadline },
): Promise<SecuredSocket> {
  const host = normaliseHost(nameOf(config)) ?? nameOf(config)
  const limit = startDeadline(Math.min(config.handshakeTimeoutMs, deadline.remainingMs()), context.signal)
  try {
    const wanted = { host, port: config.port, skipSSL: true, trust, now: () => context.clock.now() }
    return await secureSocket(raw, wanted, limit)
  } finally {
    limit.close()
  }
}

async function observe(
  { request: { sslConfig: config } }: Runnable,
  { egress, ca }: SslRunParts,
  context: RunContext,
  deadline: Deadline,
): Promise<Finding<SslEvidence>> {
  const { hostname, port, ipFamily } = config
  const name = nameOf(config)
  const evidence: SslEvidence = { request: { hostname, port, serverName: name, ipFamily } }
  let socket: TLSSocket | undefined
  try {
    const connection = await egress.connect({ host: hostname, port, family: ipFamily }, context.egress, deadline)
    const client = certificateFor(name, context.clientCertificates ?? [])
    const trust = { ...(ca && { ca }), ...(client && { client }) }
    const secured = await shake(connection.socket, config, { trust, context, deadline })
    socket = secured.socket
    const of = { name: normaliseHost(name) ?? name, nowMs: context.clock.now() }
    const seen = seenOf(secured, of, { dns: connection.dnsMs, tcp: connection.tcpMs })
    evidence.response = { resolvedIp: connection.address, ...seen }
    return { evidence, certificate: { notAfter: secured.facts.notAfter } }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { evidence, error: error.toObserved() }
  } finally {
    socket?.destroy()
  }
}

/** Makes the run of SSL checks. Its connections are opened by the egress guard. */
export function createSslRun(given: Partial<SslRunParts> = {}): Run<Runnable, SslEvidence> {
  const parts: SslRunParts = { egress: createEgress(), ...given }
  return (definition, context) =>
    observeAttempt(context, attemptTimeoutMs, (deadline) => observe(definition, parts, context, deadline))
}

export const run = createSslRun()
