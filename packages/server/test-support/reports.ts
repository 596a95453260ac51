import type { Job, ResultContent, ResultReport } from '@vedette/wire'

/** What an agent says of a run: it passed at once, unless told otherwise. */
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

/** What it says of a job it was given. */
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
  cause: 'Connection refused by 127.0.0.1:1',
}
