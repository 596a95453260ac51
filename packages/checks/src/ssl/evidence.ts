import { z } from 'zod'
import type { ExchangeEvidence } from '../core/exchange-result.ts'
import type { SslRequest } from './request-shape.ts'

const ms = z.number()

const sslRequestSentSchema = z.object({
  hostname: z.string(),
  port: z.int(),
  serverName: z.string().describe('The name that was asked for and looked for in the certificate.'),
  ipFamily: z.string(),
})

const certificateSchema = z.object({
  subject: z.string(),
  subjectCN: z.string(),
  issuer: z.string(),
  issuerCN: z.string(),
  notBefore: z.string().describe('ISO 8601.'),
  notAfter: z.string().describe('ISO 8601.'),
  daysUntilExpiry: z.number().describe('Whole days left, negative once it has expired.'),
  serialNumber: z.string(),
  fingerprintSha256: z.string(),
  keyAlgorithm: z.string().describe('rsa, ec, ed25519 …'),
  keySizeBits: z.int().describe('0 where the kind of key has no size of its own.'),
  signatureAlgorithm: z.string().describe('sha256WithRSAEncryption, ecdsa-with-SHA256 …; else its number.'),
  sans: z.array(z.string()).describe('Names and addresses that the certificate is for.'),
  selfSigned: z.boolean(),
  isCA: z.boolean(),
})
/** A certificate as results show it. */
export type SslCertificate = z.infer<typeof certificateSchema>

/** What may be wrong with a certificate, in the order in which it counts. */
export const certificateTroubles = ['EXPIRED', 'NOT_YET_VALID', 'UNTRUSTED', 'HOSTNAME_MISMATCH'] as const
export type CertificateTrouble = (typeof certificateTroubles)[number]

const sslSeenSchema = z.object({
  resolvedIp: z.string(),
  protocol: z.string().describe('TLSv1.2 or TLSv1.3.'),
  cipherSuite: z.string(),
  chainTrusted: z.boolean(),
  hostnameVerified: z.boolean(),
  certificate: certificateSchema,
  issuerFingerprintSha256: z.string().describe('Empty where the server sent no certificate of the issuer.'),
  chain: z.array(certificateSchema).describe('The certificates above it that the server sent, at most ten.'),
  troubles: z
    .array(z.object({ category: z.enum(certificateTroubles), text: z.string() }))
    .describe('What is wrong with the certificate.'),
  handshakeTimeMs: ms,
  timingPhases: z.object({ dns: ms, tcp: ms, tls: ms, total: ms }).describe('Milliseconds of each part.'),
  truncated: z.boolean(),
})
export type SslSeen = z.infer<typeof sslSeenSchema>

export const sslSchemas = { request: sslRequestSentSchema, response: sslSeenSchema }

/** What a run of an SSL check saw. `response` is absent when there was no handshake. */
export type SslEvidence = ExchangeEvidence<z.infer<typeof sslRequestSentSchema>, SslSeen>

/** What is wrong with the certificate and counts first: everything but an issuer that is not to be verified. */
export const countingTrouble = (
  { sslConfig }: SslRequest,
  { troubles }: SslSeen,
): SslSeen['troubles'][number] | undefined =>
  troubles.find(({ category }) => category !== 'UNTRUSTED' || !sslConfig.skipChainValidation)
