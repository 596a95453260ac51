import { checkServerIdentity, type PeerCertificate } from 'node:tls'

/** The part of a certificate that results show. Dates are epoch milliseconds. */
export interface CertificateFacts {
  subject: string
  issuer: string
  notBefore: number
  notAfter: number
  fingerprint256: string
}

/** `CN=shop.example, O=Shop`: a distinguished name in the order of the certificate. */
const distinguishedName = (name: PeerCertificate['subject'] | undefined): string =>
  Object.entries(name ?? {})
    .flatMap(([part, value]) => [value ?? []].flat().map((text) => `${part}=${text}`))
    .join(', ')

export const certificateFacts = (certificate: PeerCertificate): CertificateFacts => ({
  subject: distinguishedName(certificate.subject),
  issuer: distinguishedName(certificate.issuer),
  notBefore: Date.parse(certificate.valid_from),
  notAfter: Date.parse(certificate.valid_to),
  fingerprint256: certificate.fingerprint256,
})

/** Whether the certificate is for this host or address. */
export const coversHost = (certificate: PeerCertificate, host: string): boolean =>
  checkServerIdentity(host, certificate) === undefined

const mostNames = 5

/** `a.example, *.b.example and 7 more`: the names a certificate is for. */
function coveredNames(certificate: PeerCertificate): string {
  const alternative = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
  const named = alternative.filter((entry) => entry !== '')
  const names = named.length > 0 ? named : [certificate.subject?.CN ?? 'no name at all'].flat()
  const shown = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown
}

const spans: readonly [unit: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 days`, `1 hour`: a time in its largest unit. */
function spanText(ms: number): string {
  const [unit, size] = spans.find(([, each]) => ms >= each) ?? ['minute', 60_000]
  const count = Math.max(1, Math.floor(ms / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** One that starts earlier by our clock may stand in the chain, or the clock of this machine is wrong. */
const notYetValid = (host: string, aheadMs: number, start: string): string =>
  aheadMs > 0
    ? `certificate of ${host} is not valid yet: it starts in ${spanText(aheadMs)}, on ${start} UTC`
    : `a certificate in the chain above ${host} is not valid yet (its own is valid since ${start} UTC)`

/** Why verification failed, for people. `code` is that of OpenSSL, or `ERR_TLS_CERT_ALTNAME_INVALID`. */
export function certificateTrouble(code: string, host: string, certificate: PeerCertificate, nowMs: number): string {
  const { issuer, notBefore, notAfter } = certificateFacts(certificate)
  const day = (ms: number) =>
    Number.isNaN(ms) ? 'an unreadable date' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `certificate is not for ${host}: it covers ${coveredNames(certificate)}`
    case 'CERT_HAS_EXPIRED':
      return notAfter < nowMs
        ? `certificate of ${host} expired ${spanText(nowMs - notAfter)} ago: it was valid until ${day(notAfter)} UTC`
        : `a certificate in the chain above ${host} has expired (its own is valid until ${day(notAfter)} UTC)`
    case 'CERT_NOT_YET_VALID':
      return notYetValid(host, notBefore - nowMs, day(notBefore))
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `certificate of ${host} is self-signed (${issuer})`
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `certificate chain of ${host} ends in a root that is not trusted (issued by ${issuer})`
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `the issuer of the certificate of ${host} is unknown, or an intermediate certificate is missing (issued by ${issuer})`
    default:
      return `certificate of ${host} was not accepted: ${code}`
  }
}
