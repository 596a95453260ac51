import { z } from 'zod'
import type { ExchangeEvidence } from '../core/exchange-result.ts'

export const tcpRequestSentSchema = z.object({
  hostname: z.string(),
  port: z.int(),
  data: z.string().nullable(),
  ipFamily: z.string(),
})

const ms = z.number()
export const tcpResponseSeenSchema = z.object({
  data: z.string().describe('What the target sent, as text.'),
  truncated: z.boolean().describe('There was more; the rest was not kept.'),
  remoteAddress: z.string(),
  timingPhases: z
    .object({ dns: ms, connection: ms, data: ms, total: ms })
    .describe('Milliseconds of each part. `data` ends with the last byte, or with the wait when none came.'),
})

/** What a run of a TCP check saw. `response` is absent when no connection came about. */
export type TcpEvidence = ExchangeEvidence<z.infer<typeof tcpRequestSentSchema>, z.infer<typeof tcpResponseSeenSchema>>
