import { z } from 'zod'
import type { ExchangeEvidence } from '../core/exchange-result.ts'

const ms = z.number()

const icmpRequestSentSchema = z.object({ hostname: z.string(), pingCount: z.int(), ipFamily: z.string() })

/** The name of each round-trip time that is made of all answers. */
export const latencyNames = ['avg', 'min', 'max', 'stdDev'] as const

const icmpSeenSchema = z.object({
  hostname: z.string(),
  resolvedIp: z.string(),
  ipFamily: z.string(),
  pingCount: z.int(),
  packetsSent: z.int(),
  packetsReceived: z.int(),
  packetSize: z.int().describe('Bytes.'),
  packetLoss: z.number().describe('Percent of the packets that were not answered.'),
  latency: z
    .object({ avg: ms, min: ms, max: ms, stdDev: ms })
    .nullable()
    .describe('Milliseconds from request to answer; null when none was answered.'),
  pingResults: z.array(
    z.object({
      sequence: z.int(),
      type: z.int().nullable().describe('ICMP type of the answer; null without one.'),
      code: z.int().nullable(),
      success: z.boolean(),
      rtt: ms.nullable(),
      ttl: z.int().nullable(),
    }),
  ),
  dnsResolutionTime: ms,
  truncated: z.boolean().describe('Not all pings are listed.'),
})

export const icmpSchemas = { request: icmpRequestSentSchema, response: icmpSeenSchema }

/** What a run of an ICMP check saw. `response` is absent when nothing could be sent. */
export type IcmpEvidence = ExchangeEvidence<z.infer<typeof icmpRequestSentSchema>, z.infer<typeof icmpSeenSchema>>
