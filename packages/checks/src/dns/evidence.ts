import { z } from 'zod'
import type { ExchangeEvidence } from '../core/exchange-result.ts'
import { dnsProtocols, recordTypes } from './request-shape.ts'

const ms = z.number()

const dnsQuestionSentSchema = z.object({
  query: z.string(),
  recordType: z.enum(recordTypes),
  nameServer: z.string().nullable().describe('null: that of the location.'),
  port: z.int(),
  protocol: z.enum(dnsProtocols),
})

/** The answer in the form that DNS over HTTPS gives it in JSON, with names in place of numbers. */
const dnsAnswerSchema = z.object({
  Status: z.string().describe('Response code: NOERROR, NXDOMAIN, SERVFAIL …'),
  TC: z.boolean().describe('The answer was cut.'),
  RD: z.boolean().describe('Recursion was asked for.'),
  RA: z.boolean().describe('The name server offers recursion.'),
  AD: z.boolean().describe('The name server vouches for the answer by DNSSEC.'),
  CD: z.boolean().describe('Checking by DNSSEC was switched off.'),
  Question: z.array(z.object({ name: z.string(), type: z.string() })),
  Answer: z.array(
    z.object({ name: z.string(), type: z.string(), TTL: z.number().describe('Seconds.'), data: z.string() }),
  ),
})

const dnsAnswerSeenSchema = z.object({
  answer: dnsAnswerSchema,
  text: z.string().describe('The records of the answer, one line each: name, seconds to live, class, type and data.'),
  truncated: z.boolean().describe('The text is longer; the rest was not kept.'),
  remoteAddress: z.string().describe('Address of the name server that answered.'),
  timingPhases: z
    .object({ connection: ms, answer: ms, total: ms })
    .describe('Milliseconds of each part. There is no connection over UDP.'),
})

export const dnsSchemas = { request: dnsQuestionSentSchema, response: dnsAnswerSeenSchema }

/** What a run of a DNS check saw. `response` is absent when no answer came. */
export type DnsEvidence = ExchangeEvidence<z.infer<typeof dnsQuestionSentSchema>, z.infer<typeof dnsAnswerSeenSchema>>
