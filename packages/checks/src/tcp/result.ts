import { assertionOutcomeSchema } from '@vedette/wire'
import { z } from 'zod'
import type { ResultParts } from '../core/check-type.ts'
import type { ResultSection } from '../core/result-view.ts'
import { tcpRequestSentSchema, tcpResponseSeenSchema, type TcpEvidence } from './evidence.ts'

const resultSchema = z
  .object({
    assertions: z.array(assertionOutcomeSchema),
    request: tcpRequestSentSchema.nullable().describe('null when nothing was sent.'),
    response: tcpResponseSeenSchema.nullable().describe('null when nothing came back.'),
    requestError: z.string().nullable().describe('Why there was no proper answer, in one sentence.'),
    jobLog: z.null(),
    jobAssets: z.null(),
    pcapDataUrl: z.null(),
  })
  .meta({ id: 'TcpCheckResult', description: 'What a run of a TCP check saw.' })

/** The type-specific part of a result. Source: contract, "Check result"; TCP checks share the key of API checks. */
export const tcpTypePart = { resultKey: 'apiCheckResult', resultSchema } as const

/** Makes that part. */
export function toTcpResult(
  _definition: unknown,
  { evidence, error, assertions, cut }: ResultParts<TcpEvidence>,
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

/** The page of a result: assertions, timings, the connection, the answer. */
export const tcpResultView: readonly ResultSection[] = [
  { title: 'Expected and actual', parts: [{ kind: 'assertions', path: 'assertions' }] },
  {
    title: 'Where the time went',
    about: 'response',
    parts: [
      {
        kind: 'phases',
        path: 'response.timingPhases',
        phases: [
          { name: 'dns', label: 'DNS' },
          { name: 'connection', label: 'TCP connection' },
          { name: 'data', label: 'Data' },
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
      {
        kind: 'line',
        spans: [{ text: '{request.hostname}:{request.port} over {request.ipFamily}', look: 'code' }],
      },
      { kind: 'text', path: 'request.data' },
    ],
  },
  {
    title: 'Response',
    about: 'response',
    otherwise: { text: 'Nothing came back.', troublePath: 'requestError' },
    parts: [
      { kind: 'line', spans: [{ text: 'from {response.remoteAddress}', look: 'soft' }] },
      {
        kind: 'text',
        path: 'response.data',
        nothing: 'Connected; no data was received.',
        truncatedPath: 'response.truncated',
      },
    ],
  },
]
