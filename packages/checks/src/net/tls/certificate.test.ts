import type { PeerCertificate } from 'node:tls'
import { expect, test } from 'vitest'
import { certificateTrouble } from './certificate.ts'

const now = Date.parse('2026-05-04T07:00:00Z')
const certificate = (from: string, to: string): PeerCertificate =>
  ({
    valid_from: from,
    valid_to: to,
    subject: { CN: 'shop.example' },
    issuer: { CN: 'An authority', O: 'Example' },
    subjectaltname: 'DNS:shop.example, DNS:www.shop.example, IP Address:192.0.2.1',
    fingerprint256: '',
  }) as unknown as PeerCertificate

test.each([
  [
    'CERT_HAS_EXPIRED',
    'May  1 06:00:00 2026 GMT',
    'certificate of shop.example expired 3 days ago: it was valid until 2026-05-01 06:00 UTC',
  ],
  [
    'CERT_HAS_EXPIRED',
    'May  3 06:59:00 2026 GMT',
    'certificate of shop.example expired 1 day ago: it was valid until 2026-05-03 06:59 UTC',
  ],
  [
    'CERT_HAS_EXPIRED',
    'May  4 01:30:00 2026 GMT',
    'certificate of shop.example expired 5 hours ago: it was valid until 2026-05-04 01:30 UTC',
  ],
  [
    'CERT_HAS_EXPIRED',
    'May  4 06:59:50 2026 GMT',
    'certificate of shop.example expired 1 minute ago: it was valid until 2026-05-04 06:59 UTC',
  ],
  [
    'CERT_HAS_EXPIRED',
    'May  4 08:00:00 2027 GMT',
    'a certificate in the chain above shop.example has expired (its own is valid until 2027-05-04 08:00 UTC)',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'May  4 08:00:00 2027 GMT',
    'certificate is not for shop.example: it covers shop.example, www.shop.example, 192.0.2.1',
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'May  4 08:00:00 2027 GMT',
    'certificate of shop.example is self-signed (CN=An authority, O=Example)',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'May  4 08:00:00 2027 GMT',
    'the issuer of the certificate of shop.example is unknown, or an intermediate certificate is missing (issued by CN=An authority, O=Example)',
  ],
  ['CERT_REVOKED', 'May  4 08:00:00 2027 GMT', 'certificate of shop.example was not accepted: CERT_REVOKED'],
])('%s of a certificate that is valid until %s', (code, until, text) => {
  expect(certificateTrouble(code, 'shop.example', certificate('Jan  1 00:00:00 2026 GMT', until), now)).toBe(text)
})

test.each([
  [
    'May  6 08:00:00 2026 GMT',
    'certificate of shop.example is not valid yet: it starts in 2 days, on 2026-05-06 08:00 UTC',
  ],
  [
    'May  1 08:00:00 2026 GMT',
    'a certificate in the chain above shop.example is not valid yet (its own is valid since 2026-05-01 08:00 UTC)',
  ],
])('a certificate that begins on %s', (from, text) => {
  const found = certificate(from, 'May  4 08:00:00 2027 GMT')
  expect(certificateTrouble('CERT_NOT_YET_VALID', 'shop.example', found, now)).toBe(text)
})
