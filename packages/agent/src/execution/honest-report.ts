import type { ReportBody } from '@vedette/checks/run'
import { internalErrorReport } from '../delivery/report-text.ts'

/** Shorter stalls cannot use up the time limit of any check type. */
const shortestMs = 1000
/** Share of the run in which the agent stood still, from which a time-out is its own. */
const share = 0.25

/** A time-out says nothing about the target when the agent itself stood still for a good part of the time. */
export function honestReport(body: ReportBody): ReportBody {
  const { error, startedAt, stoppedAt, timingUncertaintyMs } = body
  if (error?.code !== 'ETIMEDOUT' || startedAt === null || stoppedAt === null) return body
  if (timingUncertaintyMs < Math.max(shortestMs, (stoppedAt - startedAt) * share)) return body
  const stalledMs = Math.round(timingUncertaintyMs)
  return {
    ...internalErrorReport('AGENT_STALLED', `The agent stood still for ${stalledMs} ms while it ran this check.`),
    startedAt,
    stoppedAt,
    timingUncertaintyMs,
  }
}
