import type { ObservedError } from '@vedette/wire'
import type { AssertionSource, CheckType, Metric } from '../check-type.ts'
import type { CommonDefinition } from '../definition/typed-definition.ts'
import { responseTimeThresholds, type ResponseTimeLimits } from '../response-time.ts'
import type { HttpEvidence, TimingPhases } from './evidence.ts'

/** Longest time of one request in milliseconds, whatever the check's own limits are. */
export const requestTimeoutMs = 30_000

const phase = (name: keyof TimingPhases, label: string): Metric<HttpEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

type Judged = Pick<CommonDefinition, 'shouldFail'> & ResponseTimeLimits

function judge({ shouldFail }: Judged, evidence: HttpEvidence | undefined, error: ObservedError | undefined) {
  if (error !== undefined) return error.text
  const response = evidence?.response
  if (response === undefined) return 'No response arrived'
  const failed = response.status >= 400
  if (failed === Boolean(shouldFail)) return undefined
  const expected = failed ? 'below 400' : 'of 400 or above'
  return `Expected a status ${expected}, got ${response.status} ${response.statusText}`.trim()
}

type Judgement = Pick<
  CheckType<Judged, HttpEvidence>,
  'expectedFailure' | 'judge' | 'thresholds' | 'responseMs' | 'statusCode' | 'metrics'
>

/** How one HTTP request is judged and counted. */
export const httpJudgement: Judgement = {
  expectedFailure: 'A status of 400 or above passes, and one below fails.',
  judge,
  thresholds: (definition, { response }) =>
    responseTimeThresholds(definition, response?.timingPhases.total, 'Responded'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  statusCode: ({ response }) => response?.status ?? null,
  metrics: [
    phase('total', 'Response time'),
    phase('wait', 'Wait'),
    phase('dns', 'DNS'),
    phase('tcp', 'TCP'),
    phase('tls', 'TLS'),
    phase('firstByte', 'First byte'),
    phase('download', 'Download'),
    phase('between', 'Between the steps'),
  ],
}

/** The status code, for assertions. */
export const statusCodeSource = (
  comparisons: AssertionSource<HttpEvidence>['comparisons'],
): AssertionSource<HttpEvidence> => ({
  comparisons,
  reads: 'value',
  numeric: true,
  read: ({ response }) => response?.status,
})

/** What is looked at, and one line about it. */
export const httpTarget = {
  target: ({ request }: { request: { url: string } }) => request.url,
  describe: ({ request: { method, url } }: { request: { method: string; url: string } }) => ({
    action: `${method} ${url}`,
    host: URL.canParse(url) ? new URL(url).host : url,
  }),
}
