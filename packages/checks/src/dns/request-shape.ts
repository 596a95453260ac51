import { z } from 'zod'
import { assertionSchema } from '@vedette/wire'
import { completeAssertion, hostSchema, storedAssertionSchema, textOrNull } from '../core/definition/field-shapes.ts'

export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SOA', 'NS', 'SRV', 'CAA', 'PTR', 'HTTPS'] as const
export const dnsProtocols = ['UDP', 'TCP'] as const
const sourceNames = ['RESPONSE_TIME', 'RESPONSE_CODE', 'TEXT_ANSWER', 'JSON_ANSWER'] as const

/** Where name servers listen. */
export const dnsPort = 53
const port = z.int().min(1).max(65_535)

/** The question of a DNS check as it is sent. */
export const dnsRequestSchema = z
  .strictObject({
    query: z.union([hostSchema(100), z.literal('.')]).describe('Name to look up; a dot alone is the root.'),
    recordType: z.enum(recordTypes).describe('Kind of records to ask for.'),
    nameServer: z
      .union([hostSchema(100), z.literal('')])
      .nullable()
      .optional()
      .describe('Host name or IP address of the name server to ask; that of the location when not sent.'),
    port: port.nullable().optional().describe('Port of the name server, 53 when not sent.'),
    protocol: z.enum(dnsProtocols).optional().describe('UDP when not sent.'),
    assertions: z.array(assertionSchema(sourceNames)).max(200).optional(),
  })
  .meta({ examples: [{ query: 'example.com', recordType: 'A' }] })

/** The same, complete. */
export const storedDnsRequestSchema = z.object({
  query: z.string(),
  recordType: z.enum(recordTypes),
  nameServer: z.string().nullable(),
  port,
  protocol: z.enum(dnsProtocols),
  assertions: z.array(storedAssertionSchema),
})
/** A complete question of a DNS check. */
export type DnsRequest = z.infer<typeof storedDnsRequestSchema>

/** Fills what a valid request leaves out. */
export const completeDnsRequest = (sent: z.infer<typeof dnsRequestSchema>): DnsRequest => ({
  query: sent.query ?? '',
  recordType: sent.recordType,
  nameServer: textOrNull(sent.nameServer),
  port: sent.port ?? dnsPort,
  protocol: sent.protocol ?? 'UDP',
  assertions: (sent.assertions ?? []).map(completeAssertion),
})
