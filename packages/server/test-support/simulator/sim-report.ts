import type { Job, ResultReport } from '@vedette/wire'
import { reportOf } from '../reports.ts'
import type { Health } from './target.ts'

export interface SimRun {
  job: Job
  /** Health of the target, or an internal error of the agent. */
  found: Health | 'internal-error'
  startedAt: number
  tookMs: number
  isNetwork: boolean
}

const causes = {
  up: '',
  slow: 'It took longer than 5 seconds.',
  down: 'It refused to answer.',
  'internal-error': 'Out of memory.',
}

/** The report of an agent for a run. */
export function reportOfRun({ job, found, startedAt, tookMs, isNetwork }: SimRun): ResultReport {
  const outcome = found === 'down' ? 'fail' : found === 'internal-error' ? 'unknown' : 'pass'
  return reportOf(job, {
    startedAt,
    stoppedAt: startedAt + tookMs,
    responseMs: outcome === 'pass' ? tookMs : null,
    statusCode: found === 'up' ? 200 : null,
    verdict: {
      outcome,
      degraded: found === 'slow',
      overMaxResponseTime: false,
      assertions: [],
      cause: causes[found],
    },
    error: found === 'down' ? { phase: 'tcp', code: 'REFUSED', text: causes.down, network: isNetwork } : null,
    internalError: found === 'internal-error' ? { code: 'OUT_OF_MEMORY', text: causes['internal-error'] } : null,
    result: found === 'up' ? { apiCheckResult: { response: { status: 200 } } } : {},
  })
}
