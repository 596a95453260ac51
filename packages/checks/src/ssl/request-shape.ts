import { z } from 'zod'
import { assertionSchema } from '@vedette/wire'
import {
  completeAssertion,
  hostSchema,
  ipFamilySchema,
  storedAssertionSchema,
  textOrNull,
} from '../core/definition/field-shapes.ts'

const sourceNames = ['CERTIFICATE', 'CONNECTION', 'RESPONSE_TIME', 'JSON_RESPONSE', 'TEXT_RESPONSE'] as const

const port = z.int().min(1).max(65_535)
const handshakeTimeoutMs = z.int().min(1000).max(30_000)
const alertDaysBeforeExpiry = z.int().min(1).max(365)

/** The request of an SSL check as it is sent. */
export const sslRequestSchema = z
  .strictObject({
    sslConfig: z.strictObject({
      hostname: hostSchema(2048).describe('Host name or IP address to connect to.'),
      port: port.optional().describe('443 when not sent.'),
      serverName: z
        .union([hostSchema(2048), z.literal('')])
        .nullable()
        .optional()
        .describe('Name to ask for (SNI) and to find in the certificate, where it is not that of the host.'),
      ipFamily: ipFamilySchema.optional(),
      skipChainValidation: z
        .boolean()
        .optional()
        .describe('Accept a certificate of any issuer. Its dates and names count all the same.'),
      handshakeTimeoutMs: handshakeTimeoutMs.optional().describe('Longest time of the handshake, 10000 when not sent.'),
      alertDaysBeforeExpiry: alertDaysBeforeExpiry
        .optional()
        .describe('The check is degraded when the certificate has fewer days left, 20 when not sent.'),
    }),
    assertions: z.array(assertionSchema(sourceNames)).max(200).optional(),
  })
  .meta({ examples: [{ sslConfig: { hostname: 'example.com' } }] })

const storedSslConfigSchema = z.object({
  hostname: z.string(),
  port,
  serverName: z.string().nullable(),
  ipFamily: ipFamilySchema,
  skipChainValidation: z.boolean(),
  handshakeTimeoutMs,
  alertDaysBeforeExpiry,
})

/** The same, complete. */
export const storedSslRequestSchema = z.object({
  sslConfig: storedSslConfigSchema,
  assertions: z.array(storedAssertionSchema),
})
/** A complete request of an SSL check. */
export type SslRequest = z.infer<typeof storedSslRequestSchema>
export type SslConfig = SslRequest['sslConfig']

/** Fills what a valid request leaves out. */
export function completeSslRequest({ sslConfig, assertions }: z.infer<typeof sslRequestSchema>): SslRequest {
  return {
    sslConfig: {
      hostname: sslConfig.hostname ?? '',
      port: sslConfig.port ?? 443,
      serverName: textOrNull(sslConfig.serverName),
      ipFamily: sslConfig.ipFamily ?? 'IPv4',
      skipChainValidation: sslConfig.skipChainValidation ?? false,
      handshakeTimeoutMs: sslConfig.handshakeTimeoutMs ?? 10_000,
      alertDaysBeforeExpiry: sslConfig.alertDaysBeforeExpiry ?? 20,
    },
    assertions: (assertions ?? []).map(completeAssertion),
  }
}

/** The name that is asked for and looked for in the certificate. */
export const nameOf = ({ hostname, serverName }: SslConfig): string => serverName ?? hostname
