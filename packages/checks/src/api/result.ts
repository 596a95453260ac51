import { assertionOutcomeSchema } from '@vedette/wire'
import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { apiRequestSentSchema, apiResponseSeenSchema, type ApiEvidence } from './evidence.ts'

const resultSchema = z
  .object({
    assertions: z.array(assertionOutcomeSchema),
    request: apiRequestSentSchema.nullable().describe('null when nothing was sent.'),
    response: apiResponseSeenSchema.nullable().describe('null when nothing came back.'),
    requestError: z.string().nullable().describe('Why there was no proper answer, in one sentence.'),
    jobLog: z.null(),
    jobAssets: z.null(),
    pcapDataUrl: z.null(),
  })
  .meta({ id: 'ApiCheckResult', description: 'What a run of an API check saw.' })

/** The type-specific part of a result. Source: contract, "Check result". */
export const apiTypePart = { resultKey: 'apiCheckResult', resultSchema } as const

/** Makes that part. */
export function toApiResult(
  _definition: unknown,
  { evidence, error, assertions, cut }: ResultParts<ApiEvidence>,
): z.infer<typeof resultSchema> {
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

/** The page of a result: assertions, timings, the request, the response. */
export const apiResultView: readonly ResultSection[] = [
  { title: 'Expected and actual', parts: [{ kind: 'assertions', path: 'assertions' }] },
  {
    title: 'Where the time went',
    about: 'response',
    parts: [
      {
        kind: 'phases',
        path: 'response.timingPhases',
        phases: [
          { name: 'wait', label: 'Waiting to begin' },
          { name: 'dns', label: 'DNS' },
          { name: 'tcp', label: 'TCP connection' },
          { name: 'tls', label: 'TLS handshake' },
          { name: 'firstByte', label: 'First byte' },
          { name: 'download', label: 'Download' },
        ],
        total: 'total',
      },
    ],
  },
  {
    title: 'Request',
    about: 'request',
    otherwise: { text: 'Nothing was sent.' },
    parts: [
      { kind: 'line', spans: [{ text: '{request.method} {request.url}', look: 'code' }] },
      { kind: 'keyValues', path: 'request.headers', nothing: 'No headers.' },
      { kind: 'text', path: 'request.data' },
    ],
  },
  {
    title: 'Response',
    about: 'response',
    otherwise: { text: 'Nothing came back.', troublePath: 'requestError' },
    parts: [
      {
        kind: 'line',
        spans: [
          { text: '{response.status} {response.statusText}', look: 'strong' },
          { text: 'from {response.remoteAddress}', look: 'soft' },
        ],
      },
      { kind: 'text', path: 'response.body', nothing: 'Empty body.', truncatedPath: 'response.truncated' },
      { kind: 'keyValues', path: 'response.headers', nothing: 'No headers.', folded: 'Response headers' },
    ],
  },
]
