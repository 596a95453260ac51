import type { ReportBody } from '@vedette/checks/run'
import { internalErrorReport } from '../delivery/report-text.ts'

/** A shorter stall cannot exceed the time limit of any check type. */
const shortestMs = 1000
/** A time-out is an internal error when the agent stalled for at least this share of the run. */
const share = 0.25

/** Both end a wait by a timer, which fires late and before the answers that arrived during a stall. */
const timeOuts = new Set(['ETIMEDOUT', 'DNS_TIMEOUT'])

/** A time-out says nothing about the target when the agent itself stalled for a large part of the run. */
export function honestReport(body: ReportBody): ReportBody {
  const { error, startedAt, stoppedAt, timingUncertaintyMs } = body
  if (error === null || !timeOuts.has(error.code) || startedAt === null || stoppedAt === null) return body
  if (timingUncertaintyMs < Math.max(shortestMs, (stoppedAt - startedAt) * share)) return body
  const stalledMs = Math.round(timingUncertaintyMs)
  return {
    ...internalErrorReport('AGENT_STALLED', `The agent stood still for ${stalledMs} ms while it ran this check.`),
    startedAt,
    stoppedAt,
    timingUncertaintyMs,
  }
}
