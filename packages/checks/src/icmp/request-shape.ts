import { z } from 'zod'
import { assertionSchema } from '@vedette/wire'
import {
  completeAssertion,
  hostSchema,
  ipFamilySchema,
  storedAssertionSchema,
} from '../core/definition/field-shapes.ts'

const pingCount = z.int().min(1).max(50)
const usualCount = 10

/** The request of an ICMP check as it is sent. */
export const icmpRequestSchema = z
  .strictObject({
    hostname: hostSchema(2048).describe('Host name or IP address.'),
    ipFamily: ipFamilySchema.nullable().optional(),
    pingCount: pingCount.nullable().optional().describe('Echo requests of one run, 10 when not sent.'),
    assertions: z
      .array(assertionSchema(['LATENCY', 'JSON_RESPONSE']))
      .max(200)
      .optional(),
  })
  .meta({ examples: [{ hostname: 'example.com' }] })

/** The same, complete. */
export const storedIcmpRequestSchema = z.object({
  hostname: z.string(),
  ipFamily: ipFamilySchema,
  pingCount,
  assertions: z.array(storedAssertionSchema),
})
/** A complete request of an ICMP check. */
export type IcmpRequest = z.infer<typeof storedIcmpRequestSchema>

/** Fills what a valid request leaves out. */
export const completeIcmpRequest = (sent: z.infer<typeof icmpRequestSchema>): IcmpRequest => ({
  hostname: sent.hostname ?? '',
  ipFamily: sent.ipFamily ?? 'IPv4',
  pingCount: sent.pingCount ?? usualCount,
  assertions: (sent.assertions ?? []).map(completeAssertion),
})
