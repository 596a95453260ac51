import { assertionOutcomeSchema } from '@vedette/wire'
import { z } from 'zod'
import type { Definition, ResultParts } from '../core/check-type.ts'
import { tcpRequestSentSchema, tcpResponseSeenSchema, type TcpEvidence } from './evidence.ts'

const schema = z
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

/** Where results hold what a run saw, and its schema. Source: contract, "Check result"; TCP checks share the key of API checks. */
export const tcpResultPart = { resultKey: 'apiCheckResult', resultSchema: schema } as const

export function toTcpResult(
  _definition: Definition,
  { evidence, error, assertions, cut }: ResultParts<TcpEvidence>,
): { apiCheckResult: z.infer<typeof schema> } {
  const response = evidence?.response
  return {
    apiCheckResult: {
      assertions: [...assertions],
      request: evidence?.request ?? null,
      response: response === undefined ? null : { ...response, truncated: response.truncated || cut },
      requestError: error?.text ?? null,
      jobLog: null,
      jobAssets: null,
      pcapDataUrl: null,
    },
  }
}
