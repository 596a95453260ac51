import { z } from 'zod'
import { assertionSchema } from '@vedette/wire'
import {
  completeAssertion,
  hostSchema,
  ipFamilySchema,
  storedAssertionSchema,
} from '../core/definition/field-shapes.ts'

const tcpSourceNames = ['RESPONSE_DATA', 'TEXT_BODY', 'RESPONSE_TIME'] as const

const hostname = hostSchema(2048)
const data = z.string().max(65_536).nullable()

/**
 * The request of a TCP check as it is sent. Source: contract, "TCP check specific fields"; `url` and `body` are names
 * real clients use.
 */
export const tcpRequestSchema = z
  .strictObject({
    hostname: hostname.optional().describe('Host name or IP address.'),
    url: hostname.optional().describe('Another name of `hostname`.'),
    port: z.int().min(1).max(65_535),
    data: data.optional().describe('Text sent after connecting.'),
    body: data.optional().describe('Another name of `data`.'),
    ipFamily: ipFamilySchema.optional(),
    assertions: z.array(assertionSchema(tcpSourceNames)).max(200).optional(),
  })
  .refine(({ hostname: host, url }) => host !== undefined || url !== undefined, {
    path: ['hostname'],
    message: 'is required',
  })
  .refine(({ hostname: host, url }) => host === undefined || url === undefined || host === url, {
    path: ['url'],
    message: 'must be the same as hostname when both are sent',
  })
  .meta({ examples: [{ hostname: 'example.com', port: 443 }] })

/** The same, complete. */
export const storedTcpRequestSchema = z.object({
  hostname: z.string(),
  port: z.int(),
  data,
  ipFamily: ipFamilySchema,
  assertions: z.array(storedAssertionSchema),
})
/** A complete request of a TCP check. */
export type TcpRequest = z.infer<typeof storedTcpRequestSchema>

/** Fills what a valid request leaves out and settles on one name for each field. */
export function completeTcpRequest(sent: z.infer<typeof tcpRequestSchema>): TcpRequest {
  return {
    hostname: sent.hostname ?? sent.url ?? '',
    port: sent.port,
    data: sent.data ?? sent.body ?? null,
    ipFamily: sent.ipFamily ?? 'IPv4',
    assertions: (sent.assertions ?? []).map(completeAssertion),
  }
}
