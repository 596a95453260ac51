import { assertionOutcomeSchema } from '@vedette/wire'
import { z, type ZodType } from 'zod'
import type { ResultParts } from './check-type.ts'
import type { PhaseLabel, ResultPart, ResultSection } from './result-view.ts'

/** What a run of one request and its response saw. `response` is absent when nothing came back. */
export interface ExchangeEvidence<Sent, Seen extends { truncated: boolean }> {
  request: Sent
  response?: Seen
}

/**
 * The type-specific part of results of types that send one request and read one response. They share the key of API
 * checks and differ in what was sent and seen. Source: contract, "Check result".
 */
export const exchangeTypePart = <Sent extends ZodType, Seen extends ZodType>(
  meta: { id: string; description: string },
  { request, response }: { request: Sent; response: Seen },
) => ({
  resultKey: 'apiCheckResult' as const,
  resultSchema: z
    .object({
      assertions: z.array(assertionOutcomeSchema),
      request: request.nullable().describe('null when nothing was sent.'),
      response: response.nullable().describe('null when nothing came back.'),
      requestError: z.string().nullable().describe('Why there was no proper answer, in one sentence.'),
      jobLog: z.record(z.string(), z.unknown()).nullable().describe('Log of setup and teardown; null without.'),
      jobAssets: z.string().nullable(),
      pcapDataUrl: z.string().nullable().describe('Capture of the packets of a failed run; null without.'),
    })
    .meta(meta),
})

/** Makes that part. */
export function toExchangeResult<Sent, Seen extends { truncated: boolean }>(
  _definition: unknown,
  { evidence, error, assertions, cut }: ResultParts<ExchangeEvidence<Sent, Seen>>,
) {
  const response = evidence?.response
  return {
    assertions: [...assertions],
    request: evidence?.request ?? null,
    response: response === undefined ? null : { ...response, truncated: response.truncated || cut },
    requestError: error?.text ?? null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
}

/** The page of such a result: assertions, timings, the request, the response. */
export const exchangeView = (of: {
  /** Those that add up to the total. */
  phases: readonly PhaseLabel[]
  /** Other times, which are no part of it. */
  beside?: readonly PhaseLabel[]
  request: readonly ResultPart[]
  response: readonly ResultPart[]
}): readonly ResultSection[] => [
  { title: 'Expected and actual', parts: [{ kind: 'assertions', path: 'assertions' }] },
  {
    title: 'Where the time went',
    about: 'response',
    parts: [
      {
        kind: 'phases',
        path: 'response.timingPhases',
        phases: of.phases,
        total: 'total',
        ...(of.beside && { beside: of.beside }),
      },
    ],
  },
  { title: 'Request', about: 'request', otherwise: { text: 'Nothing was sent.' }, parts: of.request },
  {
    title: 'Response',
    about: 'response',
    otherwise: { text: 'Nothing came back.', troublePath: 'requestError' },
    parts: of.response,
  },
]
