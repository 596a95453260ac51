import type { AssertionOutcome, Job, ResultReport, Verdict } from '@vedette/wire'
import type { AnyCheckType, Definition, Observation, RunContext } from './check-type.ts'
import { hasLongText, headerSecrets, scrubberFor, type Scrubber } from './secrets/scrub.ts'
import { secretsOf } from './secrets/secret-paths.ts'

/** What a run reports, without the lease, the clock offset and the replay mark, which the agent adds. */
export type ReportBody = Omit<ResultReport, 'lease' | 'clockOffsetMs' | 'replayed'>

/** Headers of whatever was sent and received, wherever the evidence of a type keeps them. */
function headersIn(value: unknown): Record<string, string>[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'headers' && typeof item === 'object' && item !== null ? [item as Record<string, string>] : headersIn(item),
  )
}

/**
 * A scrubber for one run: secret variables, keys of certificates, secrets of the definition, credentials and cookies that went over the wire.
 */
export function scrubberOf(
  type: AnyCheckType,
  definition: Definition,
  { variables, clientCertificates = [] }: Pick<RunContext, 'variables' | 'clientCertificates'>,
  evidence: unknown,
): Scrubber {
  const secretVariables = variables.filter(({ secret }) => secret).map(({ value }) => value)
  const exchanged = headersIn(evidence).flatMap(headerSecrets)
  const keys = clientCertificates.map(({ key }) => key)
  return scrubberFor([...secretVariables, ...keys, ...secretsOf(type, definition).values(), ...exchanged])
}

function metricsOf(type: AnyCheckType, evidence: unknown): Record<string, number> {
  const read = type.metrics.map((metric) => [metric.name, metric.read(evidence)] as const)
  return Object.fromEntries(read.filter((entry): entry is [string, number] => Number.isFinite(entry[1])))
}

const responseMsOf = (type: AnyCheckType, evidence: unknown): number | null => {
  const measured = evidence === undefined ? null : type.responseMs(evidence)
  return measured === null ? null : Math.max(0, measured)
}

/** Everything a run found, scrubbed and in the form that is reported. */
export interface Findings {
  observation: Observation<unknown>
  verdict: Verdict
  scrubber: Scrubber
}

/** Makes the report of a run. The evidence of `observation` is not scrubbed yet, its error is. */
export function reportOf(type: AnyCheckType, definition: Definition, findings: Findings): ReportBody {
  const { observation, verdict, scrubber } = findings
  const { evidence, error, internalError, certificate, startedAt, stoppedAt, timingUncertaintyMs } = observation
  const parts = {
    evidence: scrubber.value(evidence),
    error,
    assertions: verdict.assertions,
    cut: hasLongText(evidence),
  }
  return {
    startedAt,
    stoppedAt,
    timingUncertaintyMs,
    responseMs: responseMsOf(type, evidence),
    statusCode: evidence === undefined ? null : type.statusCode(evidence),
    verdict: { ...verdict, cause: scrubber.text(verdict.cause) },
    error: error ?? null,
    internalError: internalError ?? null,
    certificateNotAfter: certificate?.notAfter ?? null,
    metrics: evidence === undefined ? {} : metricsOf(type, evidence),
    result: type.resultKey === null ? {} : { [type.resultKey]: type.toResult(definition, parts) },
  }
}

/** The report of a job that could not be started because of an internal error. */
export function internalErrorReport(job: Job, code: string, text: string): ReportBody {
  const assertions: AssertionOutcome[] = []
  return {
    startedAt: null,
    stoppedAt: null,
    timingUncertaintyMs: 0,
    responseMs: null,
    statusCode: null,
    verdict: { outcome: 'unknown', degraded: false, overMaxResponseTime: false, assertions, cause: text },
    error: null,
    internalError: { code, text: `${text} (${job.type} check)` },
    certificateNotAfter: null,
    metrics: {},
    result: {},
  }
}
