import { z } from 'zod'
import type { ExchangeEvidence } from '../exchange-result.ts'

const ms = z.number()

/** Milliseconds of each part of an exchange; redirects are added up. All but `wait` add up to `total`. */
const timingPhasesSchema = z.object({
  wait: ms.describe('From the start to the first look-up; no part of the total.'),
  dns: ms,
  tcp: ms,
  tls: ms,
  firstByte: ms,
  download: ms,
  between: ms
    .optional()
    .describe('Between these steps: redirects, and waits of the agent. Older agents do not tell it.'),
  total: ms,
})
export type TimingPhases = z.infer<typeof timingPhasesSchema>

/** What the TLS handshake of the last hop answered. */
const tlsFactsSchema = z.object({
  protocol: z.string(),
  cipher: z.string(),
  authorized: z.boolean(),
  authorizationError: z.string().nullable(),
  subject: z.string(),
  issuer: z.string(),
  notBefore: z.number().describe('Epoch milliseconds.'),
  notAfter: z.number().describe('Epoch milliseconds.'),
  fingerprint256: z.string(),
})

const headers = z.record(z.string(), z.string())

/** The request as it was sent, after templates. */
export const httpRequestSentSchema = z.object({
  method: z.string(),
  url: z.string().describe('Address of the first hop.'),
  headers,
  params: z.record(z.string(), z.string()),
  data: z.string(),
})
export type HttpRequestSent = z.infer<typeof httpRequestSentSchema>

/** The answer, from the response head on. */
export const httpResponseSeenSchema = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: headers.describe('By lower-case name; repeated ones joined with `, `, set-cookie with a line feed.'),
  body: z.string().describe('Decoded text; a notice in place of binary content.'),
  bodyBytes: z.int().describe('Bytes of the body after decompression, as far as it was read.'),
  truncated: z.boolean().describe('The body is longer; the rest was not kept.'),
  href: z.string().describe('Address of the page after redirects.'),
  redirects: z.array(z.object({ status: z.int(), location: z.string() })),
  remoteAddress: z.string(),
  ipFamily: z.enum(['IPv4', 'IPv6']),
  timings: z.record(z.string(), ms).describe('Milliseconds from the start to the end of each step.'),
  timingPhases: timingPhasesSchema.describe('Milliseconds of each part of the exchange; redirects are added up.'),
  tls: tlsFactsSchema.optional().describe('What the TLS handshake of the last hop showed.'),
})
export type HttpResponseSeen = z.infer<typeof httpResponseSeenSchema>

/** What a run saw that sent one HTTP request. `response` is absent when no response head arrived. */
export type HttpEvidence = ExchangeEvidence<HttpRequestSent, HttpResponseSeen>
