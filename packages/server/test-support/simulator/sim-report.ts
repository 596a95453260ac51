import type { Job, ResultReport } from '@vedette/wire'
import { reportOf } from '../reports.ts'
import type { Health } from './target.ts'

export interface SimRun {
  job: Job
  /** What the run met; `ill` is our own trouble. */
  found: Health | 'ill'
  startedAt: number
  tookMs: number
  isNetwork: boolean
}

const causes = { up: '', slow: 'It took longer than 5 seconds.', down: 'It refused to answer.', ill: 'Out of memory.' }

/** What an agent reports of a run. */
export function reportOfRun({ job, found, startedAt, tookMs, isNetwork }: SimRun): ResultReport {
  const outcome = found === 'down' ? 'fail' : found === 'ill' ? 'unknown' : 'pass'
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
    internalError: found === 'ill' ? { code: 'OUT_OF_MEMORY', text: causes.ill } : null,
    result: found === 'up' ? { apiCheckResult: { response: { status: 200 } } } : {},
  })
}
