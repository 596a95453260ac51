import type { Comparison } from '@vedette/wire'
import type { AssertedValue, AssertionSource } from '../core/check-type.ts'
import type { SslEvidence, SslSeen } from './evidence.ts'

const number: readonly Comparison[] = ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN']
const text: readonly Comparison[] = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS']
const exact: readonly Comparison[] = ['EQUALS', 'NOT_EQUALS']
const list: readonly Comparison[] = ['CONTAINS', 'NOT_CONTAINS']
const truth: readonly Comparison[] = ['EQUALS']
const ofText: readonly Comparison[] = [...number, 'IS_EMPTY', 'NOT_EMPTY', 'CONTAINS', 'NOT_CONTAINS']
const ofJson: readonly Comparison[] = [...ofText, 'IS_NULL', 'NOT_NULL']

interface Property {
  comparisons: readonly Comparison[]
  read: (seen: SslSeen) => AssertedValue
}

const ofCertificate = (name: keyof SslSeen['certificate'], comparisons: readonly Comparison[]): Property => ({
  comparisons,
  read: ({ certificate }) => certificate[name],
})

const certificate: Record<string, Property> = {
  daysUntilExpiry: ofCertificate('daysUntilExpiry', number),
  subjectCN: ofCertificate('subjectCN', text),
  issuerCN: ofCertificate('issuerCN', text),
  serialNumber: ofCertificate('serialNumber', exact),
  fingerprintSha256: ofCertificate('fingerprintSha256', exact),
  issuerFingerprintSha256: { comparisons: exact, read: ({ issuerFingerprintSha256 }) => issuerFingerprintSha256 },
  keyAlgorithm: ofCertificate('keyAlgorithm', exact),
  keySizeBits: ofCertificate('keySizeBits', number),
  signatureAlgorithm: ofCertificate('signatureAlgorithm', exact),
  sans: ofCertificate('sans', list),
  selfSigned: ofCertificate('selfSigned', truth),
  isCA: ofCertificate('isCA', truth),
}

const connection: Record<string, Property> = {
  // As a number, because versions are compared by their order.
  tlsVersion: { comparisons: number, read: ({ protocol }) => Number(protocol.replace(/^TLSv/, '')) },
  cipherSuite: { comparisons: text, read: ({ cipherSuite }) => cipherSuite },
  resolvedIp: { comparisons: text, read: ({ resolvedIp }) => resolvedIp },
  hostnameVerified: { comparisons: truth, read: ({ hostnameVerified }) => hostnameVerified },
  chainTrusted: { comparisons: truth, read: ({ chainTrusted }) => chainTrusted },
}

/** A source with properties of several kinds, each with comparisons of its own. */
function ofProperties(label: string, properties: Record<string, Property>): AssertionSource<SslEvidence> {
  const comparisons = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, each.comparisons]))
  const [first = ''] = Object.keys(properties)
  return {
    comparisons: [...new Set(Object.values(comparisons).flat())],
    reads: 'value',
    property: { label, placeholder: first, required: true, options: Object.keys(properties), comparisons },
    read: ({ response }, property) =>
      response === undefined || !Object.hasOwn(properties, property) ? undefined : properties[property]?.read(response),
  }
}

/** What assertions of SSL checks read. */
export const sslAssertionSources: Record<string, AssertionSource<SslEvidence>> = {
  CERTIFICATE: ofProperties('Of the certificate', certificate),
  CONNECTION: ofProperties('Of the connection', connection),
  RESPONSE_TIME: {
    comparisons: number,
    reads: 'value',
    numeric: true,
    timed: true,
    read: ({ response }) => response?.handshakeTimeMs,
  },
  JSON_RESPONSE: {
    comparisons: ofJson,
    reads: 'jsonPath',
    property: { label: 'JSONPath', placeholder: '$.certificate.issuer', required: true },
    read: ({ response }) => response,
  },
  TEXT_RESPONSE: {
    comparisons: ofText,
    reads: 'regex',
    property: { label: 'Regular expression', placeholder: '"issuer":"(.*?)"', required: false },
    read: ({ response }) => (response === undefined ? undefined : JSON.stringify(response)),
  },
}
