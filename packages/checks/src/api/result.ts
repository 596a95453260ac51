import type { Definition, ResultParts } from '../core/check-type.ts'
import type { ApiEvidence } from './evidence.ts'

/** The `apiCheckResult` part of a result. Source: contract, "Check result". */
export function toApiResult(_definition: Definition, { evidence, error, assertions, cut }: ResultParts<ApiEvidence>) {
  const response = evidence?.response
  return {
    apiCheckResult: {
      assertions,
      request: evidence?.request ?? null,
      response: response === undefined ? null : { ...response, truncated: response.truncated || cut },
      requestError: error?.text ?? null,
      jobLog: null,
      jobAssets: null,
      pcapDataUrl: null,
    },
  }
}
