import { assertionOutcomeSchema } from '@vedette/wire'
import { z } from 'zod'
import type { Definition, ResultParts } from '../core/check-type.ts'
import { apiRequestSentSchema, apiResponseSeenSchema, type ApiEvidence } from './evidence.ts'

const schema = z
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

/** Where results hold what a run saw, and its schema. Source: contract, "Check result". */
export const apiResultPart = { resultKey: 'apiCheckResult', resultSchema: schema } as const

export function toApiResult(
  _definition: Definition,
  { evidence, error, assertions, cut }: ResultParts<ApiEvidence>,
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
