import type { Job, ResultContent, ResultReport } from '@vedette/wire'

/** The content of a report: by default a run that passed at once. */
export const reportAt = (startedAt: number, more: Partial<ResultContent> = {}): ResultContent => ({
  startedAt,
  stoppedAt: startedAt + 10,
  clockOffsetMs: 0,
  timingUncertaintyMs: 0,
  responseMs: 10,
  statusCode: null,
  verdict: { outcome: 'pass', degraded: false, overMaxResponseTime: false, assertions: [], cause: '' },
  error: null,
  internalError: null,
  certificateNotAfter: null,
  metrics: {},
  result: {},
  replayed: false,
  ...more,
})

/** The report of an agent for a job. */
export const reportOf = (job: Job, more: Partial<ResultReport> = {}): ResultReport => ({
  lease: job.lease,
  ...reportAt(job.leasedAt, more),
})

/** The verdict of a run whose target was down. */
export const failed: ResultReport['verdict'] = {
  outcome: 'fail',
  degraded: false,
  overMaxResponseTime: false,
  assertions: [],
  cause: 'TCP: 127.0.0.1:1 refused the connection',
}
