import { assertionOutcomeSchema } from '@vedette/wire'
import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { certificateTroubles, countingTrouble, sslSchemas, type SslEvidence, type SslSeen } from './evidence.ts'
import type { SslRequest } from './request-shape.ts'

const failureCategories = [...certificateTroubles, 'EGRESS', 'DNS', 'CONNECTION', 'HANDSHAKE'] as const
type FailureCategory = (typeof failureCategories)[number]

/** The type-specific part of a result. */
export const sslTypePart = {
  resultKey: 'sslCheckResult' as const,
  resultSchema: z
    .object({
      tlsVersion: z.string().nullable(),
      cipherSuite: z.string().nullable(),
      daysUntilExpiry: z.number().nullable(),
      handshakeTimeMs: z.number().nullable(),
      chainTrusted: z.boolean().nullable(),
      hostnameVerified: z.boolean().nullable(),
      failureCategory: z.enum(failureCategories).nullable().describe('What went wrong first; null when nothing did.'),
      requestError: z.string().nullable().describe('Why there was no handshake, in one sentence.'),
      request: sslSchemas.request.nullable(),
      assertions: z.array(assertionOutcomeSchema),
      response: sslSchemas.response.nullable().describe('null when there was no handshake.'),
    })
    .meta({
      id: 'SslCheckResult',
      description: 'What a run of an SSL check saw. Fields are null without a handshake.',
    }),
}

const ofPhase: Readonly<Record<string, FailureCategory>> = { egress: 'EGRESS', dns: 'DNS', tcp: 'CONNECTION' }

const noHandshake = {
  tlsVersion: null,
  cipherSuite: null,
  daysUntilExpiry: null,
  handshakeTimeMs: null,
  chainTrusted: null,
  hostnameVerified: null,
}

const factsOf = ({ protocol, cipherSuite, certificate, handshakeTimeMs, chainTrusted, hostnameVerified }: SslSeen) => ({
  tlsVersion: protocol,
  cipherSuite,
  daysUntilExpiry: certificate.daysUntilExpiry,
  handshakeTimeMs,
  chainTrusted,
  hostnameVerified,
})

function categoryOf(
  { request }: { request: SslRequest },
  { evidence, error }: ResultParts<SslEvidence>,
): FailureCategory | null {
  if (error !== undefined) return ofPhase[error.phase] ?? 'HANDSHAKE'
  return evidence?.response === undefined ? null : (countingTrouble(request, evidence.response)?.category ?? null)
}

/** Makes that part. */
export function toSslResult(definition: { request: SslRequest }, parts: ResultParts<SslEvidence>) {
  const { evidence, error, assertions } = parts
  return {
    ...(evidence?.response === undefined ? noHandshake : factsOf(evidence.response)),
    failureCategory: categoryOf(definition, parts),
    requestError: error?.text ?? null,
    request: evidence?.request ?? null,
    assertions: [...assertions],
    response: evidence?.response ?? null,
  }
}

/** The page of a result. */
export const sslResultView: readonly ResultSection[] = [
  { title: 'Expected and actual', parts: [{ kind: 'assertions', path: 'assertions' }] },
  {
    title: 'Where the time went',
    about: 'response',
    parts: [
      {
        kind: 'phases',
        path: 'response.timingPhases',
        phases: [
          { name: 'dns', label: 'DNS' },
          { name: 'tcp', label: 'TCP' },
          { name: 'tls', label: 'TLS handshake' },
        ],
        total: 'total',
      },
    ],
  },
  {
    title: 'Handshake',
    about: 'response',
    otherwise: { text: 'There was no handshake.', troublePath: 'requestError' },
    parts: [
      {
        kind: 'line',
        spans: [
          { text: '{response.protocol}', look: 'strong' },
          { text: '{response.cipherSuite}', look: 'code' },
          { text: 'with {response.resolvedIp}', look: 'soft' },
        ],
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Chain trusted', path: 'response.chainTrusted' },
          { label: 'For this name', path: 'response.hostnameVerified' },
        ],
      },
      {
        kind: 'table',
        path: 'response.troubles',
        columns: [{ label: 'Trouble', path: 'text' }],
        nothing: 'Nothing is wrong with the certificate.',
      },
    ],
  },
  {
    title: 'Certificate',
    about: 'response',
    parts: [
      {
        kind: 'facts',
        facts: [
          { label: 'Subject', path: 'response.certificate.subject' },
          { label: 'Issuer', path: 'response.certificate.issuer' },
          { label: 'Valid until', path: 'response.certificate.notAfter', unit: 'moment' },
          { label: 'Days left', path: 'response.certificate.daysUntilExpiry' },
          { label: 'Key', path: 'response.certificate.keyAlgorithm' },
          { label: 'Key size (bits)', path: 'response.certificate.keySizeBits' },
          { label: 'Signature', path: 'response.certificate.signatureAlgorithm' },
          { label: 'SHA-256', path: 'response.certificate.fingerprintSha256' },
        ],
      },
      {
        kind: 'table',
        path: 'response.chain',
        columns: [
          { label: 'Subject', path: 'subject' },
          { label: 'Issuer', path: 'issuer' },
          { label: 'Valid until', path: 'notAfter', unit: 'moment' },
        ],
        nothing: 'The server sent no certificates above it.',
      },
    ],
  },
]
