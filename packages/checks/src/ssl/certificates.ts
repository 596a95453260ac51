import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { signatureAlgorithmOf } from './signature-algorithm.ts'
import type { SslCertificate } from './evidence.ts'

const dayMs = 24 * 60 * 60_000
/** Most certificates shown above that of the server. */
const mostAbove = 10

const curveBits: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 }

/** OpenSSL reads keys when they are asked for; those of a kind that it does not know cannot be. */
function keyOf(certificate: X509Certificate): { keyAlgorithm: string; keySizeBits: number } {
  try {
    const { asymmetricKeyType = 'unknown', asymmetricKeyDetails = {} } = certificate.publicKey
    const { modulusLength, namedCurve = '' } = asymmetricKeyDetails
    return { keyAlgorithm: asymmetricKeyType, keySizeBits: modulusLength ?? curveBits[namedCurve] ?? 0 }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { keyAlgorithm: 'unknown', keySizeBits: 0 }
  }
}

/** Node writes the parts of a name one per line. */
const partsOf = (name: string | undefined): string[] => (name ?? '').split('\n').filter((part) => part !== '')

const commonName = (parts: readonly string[]): string =>
  parts.findLast((part) => part.startsWith('CN='))?.slice('CN='.length) ?? ''

/** `DNS:a.example, IP Address:192.0.2.1`: what could be mistaken for a separator stands in quotes. */
const namesIn = (alternative: string | undefined): string[] =>
  [...(alternative ?? '').matchAll(/[^:,]+:("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(([, name = '']) =>
    name.startsWith('"') ? name.slice(1, -1) : name,
  )

const dateOf = (text: string): string => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date.toISOString()
}

/** A certificate as results show it. `nowMs`: epoch milliseconds. */
export function certificateSeen(certificate: X509Certificate, nowMs: number): SslCertificate {
  const subject = partsOf(certificate.subject)
  const issuer = partsOf(certificate.issuer)
  return {
    subject: subject.join(', '),
    subjectCN: commonName(subject),
    issuer: issuer.join(', '),
    issuerCN: commonName(issuer),
    notBefore: dateOf(certificate.validFrom),
    notAfter: dateOf(certificate.validTo),
    daysUntilExpiry: Math.floor((Date.parse(certificate.validTo) - nowMs) / dayMs),
    serialNumber: certificate.serialNumber,
    fingerprintSha256: certificate.fingerprint256,
    ...keyOf(certificate),
    signatureAlgorithm: signatureAlgorithmOf(certificate.raw),
    sans: namesIn(certificate.subjectAltName),
    selfSigned: certificate.subject === certificate.issuer,
    isCA: certificate.ca,
  }
}

/** The certificate of the peer and those above it that it sent. Can be asked once of a socket, and last of all. */
export function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  const seen = new Set<string>()
  let next = socket.getPeerX509Certificate()
  while (next !== undefined && !seen.has(next.fingerprint256) && chain.length <= mostAbove) {
    chain.push(next)
    seen.add(next.fingerprint256)
    next = next.issuerCertificate
  }
  return chain
}
