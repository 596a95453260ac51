import type { Definition, ResultParts } from '../core/check-type.ts'
import { cutBody } from '../core/stored-body.ts'
import type { ApiEvidence, ApiResponseSeen } from './evidence.ts'

function storedResponse({ body, truncated, ...facts }: ApiResponseSeen) {
  const { text, cut } = cutBody(body)
  return { ...facts, body: text, truncated: truncated || cut }
}

/** The `apiCheckResult` part of a result. Source: contract, "Check result". */
export function toApiResult(_definition: Definition, { evidence, error, assertions }: ResultParts<ApiEvidence>) {
  const request = evidence?.request
  return {
    apiCheckResult: {
      assertions,
      request: request === undefined ? null : { ...request, data: cutBody(request.data).text },
      response: evidence?.response === undefined ? null : storedResponse(evidence.response),
      requestError: error?.text ?? null,
      jobLog: null,
      jobAssets: null,
      pcapDataUrl: null,
    },
  }
}
