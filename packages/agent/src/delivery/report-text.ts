import type { ReportBody } from '@vedette/checks/run'

/** A finished run to be delivered. The report is serialised once and is not parsed again here. */
export interface FinishedRun {
  attemptId: string
  lease: string
  /** JSON of a `ResultReport` without `replayed`. */
  report: string
  /** True for failed and not known runs: they are sent without waiting for a batch. */
  urgent: boolean
}

export function finishedRun(
  run: { attemptId: string; lease: string; clockOffsetMs: number },
  body: ReportBody,
): FinishedRun {
  return {
    attemptId: run.attemptId,
    lease: run.lease,
    report: JSON.stringify({ ...body, lease: run.lease, clockOffsetMs: run.clockOffsetMs }),
    urgent: body.verdict.outcome !== 'pass' || body.verdict.degraded,
  }
}

/** The report with the word that another attempt of its run followed, or that it is the last of several. */
export const retriedReport = (run: FinishedRun, retried: boolean): FinishedRun => ({
  ...run,
  report: withField(run.report, 'retried', retried),
})

/** What a report says that matters for a retry. */
export function triedOf(report: string) {
  const { verdict, error, startedAt, stoppedAt } = JSON.parse(report) as ReportBody
  return { hasFailed: verdict.outcome === 'fail', networkError: error?.network === true, startedAt, stoppedAt }
}

const withField = (report: string, name: string, value: boolean): string => `${report.slice(0, -1)},"${name}":${value}}`

export function resultsBody(agentId: string, reports: readonly string[], replayed: boolean): string {
  const results = reports.map((report) => withField(report, 'replayed', replayed))
  return `{"agentId":${JSON.stringify(agentId)},"results":[${results.join(',')}]}`
}

/** The report of a run that says nothing about its target because of an internal error. */
export function internalErrorReport(
  code: string,
  text: string,
  times?: { startedAt: number; stoppedAt: number },
): ReportBody {
  return {
    startedAt: times?.startedAt ?? null,
    stoppedAt: times?.stoppedAt ?? null,
    timingUncertaintyMs: 0,
    responseMs: null,
    statusCode: null,
    verdict: { outcome: 'unknown', degraded: false, overMaxResponseTime: false, assertions: [], cause: text },
    error: null,
    internalError: { code, text },
    certificateNotAfter: null,
    metrics: {},
    result: {},
  }
}
