import type { IncomingResult, PendingRun } from '../runs.ts'
import { boundBody, storableText } from './bound-body.ts'

/** Results older than this when they arrive are history: they page nobody. */
export const lateAfterMs = 6 * 60_000

/** A result made ready to store: times clamped, texts storable, body cut to size. */
export interface PreparedResult {
  incoming: IncomingResult
  id: string
  dueAt: number
  startedAt: number | null
  stoppedAt: number | null
  late: boolean
  cause: string | null
  bodyText: string
}

/** The server's own times bound what an agent's clock may claim. */
export function prepareResult(incoming: IncomingResult): PreparedResult {
  const { claims, report, receivedAt } = incoming
  const clamped = (time: number, from: number) => Math.round(Math.min(Math.max(time, from), Math.max(from, receivedAt)))
  const startedAt = report.startedAt === null ? null : clamped(report.startedAt, claims.leasedAt)
  const stoppedAt = startedAt === null || report.stoppedAt === null ? null : clamped(report.stoppedAt, startedAt)
  const { verdict, error, internalError, metrics, result } = report
  return {
    incoming,
    id: claims.attemptId,
    dueAt: claims.dueAt,
    startedAt,
    stoppedAt,
    late: isLate(incoming),
    cause: verdict.cause === '' ? null : storableText(verdict.cause),
    bodyText: boundBody({ result, verdict, error, internalError, metrics }),
  }
}

/** A retry is due when its back-off ends, which its lease shows; the slot itself may be long past by then. */
function isLate({ claims, receivedAt }: IncomingResult): boolean {
  return receivedAt - (claims.attempt === 0 ? claims.dueAt : claims.leasedAt) > lateAfterMs
}

/** JSON of the row of `check_results`. */
export function resultRowText(prepared: PreparedResult, resultType: 'FINAL' | 'ATTEMPT'): string {
  const { claims, report, receivedAt } = prepared.incoming
  const { outcome, degraded, overMaxResponseTime } = report.verdict
  const row = JSON.stringify({
    due_at: new Date(claims.dueAt).toISOString(),
    id: claims.attemptId,
    account_id: claims.accountId,
    check_id: claims.checkId,
    revision: claims.revision,
    location: claims.location,
    result_type: resultType,
    outcome,
    has_failures: outcome === 'fail',
    has_errors: outcome === 'unknown',
    is_degraded: degraded && outcome === 'pass',
    over_max: overMaxResponseTime,
    attempts: claims.attempt,
    check_run_id: claims.dueAt,
    sequence_id: claims.sequenceId,
    response_ms: report.responseMs,
    started_at: timeText(prepared.startedAt),
    stopped_at: timeText(prepared.stoppedAt),
    received_at: timeText(receivedAt),
    late: prepared.late,
    emulated: claims.emulated,
    clock_offset_ms: report.clockOffsetMs,
    timing_uncertainty_ms: report.timingUncertaintyMs,
    source: claims.source,
    cause: prepared.cause,
  })
  return `${row.slice(0, -1)},"body":${prepared.bodyText}}`
}

const timeText = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())

/** A result with what was decided about its place in the run. */
export interface PlannedResult {
  prepared: PreparedResult
  retry: PendingRun | undefined
}
