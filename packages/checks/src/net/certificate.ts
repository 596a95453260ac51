import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

/** The part of a certificate that is told to people. Dates are epoch milliseconds. */
export interface CertificateFacts {
  subject: string
  issuer: string
  notBefore: number
  notAfter: number
  fingerprint256: string
}

const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ')

export const certificateFacts = (certificate: X509Certificate): CertificateFacts => ({
  subject: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  notBefore: Date.parse(certificate.validFrom),
  notAfter: Date.parse(certificate.validTo),
  fingerprint256: certificate.fingerprint256,
})

/** Whether the certificate is for this host; no wildcard inside a label, as browsers hold it. */
export const coversHost = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0
    ? certificate.checkHost(host, { subject: 'default', partialWildcards: false })
    : certificate.checkIP(host)) !== undefined

const mostNames = 5

/** `a.example, *.b.example and 7 more`: the names a certificate is for. */
function coveredNames(certificate: X509Certificate): string {
  const alternative = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
  const named = alternative.filter((entry) => entry !== '')
  const names = named.length > 0 ? named : [/(?:^|\n)CN=([^\n]*)/.exec(certificate.subject)?.[1] ?? 'no name at all']
  const shown = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown
}

/** Why verification failed, for people. `code` is that of OpenSSL, or `ERR_TLS_CERT_ALTNAME_INVALID`. */
export function certificateTrouble(code: string, host: string, certificate: X509Certificate, nowMs: number): string {
  const { issuer, notBefore, notAfter } = certificateFacts(certificate)
  const day = (ms: number) =>
    Number.isNaN(ms) ? 'an unreadable date' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate is not for ${host}: it covers ${coveredNames(certificate)}`
    case 'CERT_HAS_EXPIRED':
      return notAfter < nowMs
        ? `The certificate of ${host} expired: it was valid until ${day(notAfter)} UTC`
        : `A certificate in the chain above ${host} has expired (its own is valid until ${day(notAfter)} UTC)`
    case 'CERT_NOT_YET_VALID':
      return `The certificate of ${host} is not valid yet: it starts on ${day(notBefore)} UTC`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return `The certificate of ${host} is self-signed (${issuer})`
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `The certificate chain of ${host} ends in a root that is not trusted (issued by ${issuer})`
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `The issuer of the certificate of ${host} is unknown, or an intermediate certificate is missing (issued by ${issuer})`
    default:
      return `The certificate of ${host} was not accepted: ${code}`
  }
}
