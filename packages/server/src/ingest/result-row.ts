import { isoTime, staleAfterMs, type ResultType } from '@vedette/wire'
import { unknownContent, type IncomingResult, type PendingRun } from '../runs.ts'
import { storableText } from '../storable.ts'
import { boundBody } from './bound-body.ts'

/** A result prepared for storing: times clamped, texts storable, body cut to size. */
export interface PreparedResult {
  incoming: IncomingResult
  id: string
  dueAt: number
  startedAt: number | null
  stoppedAt: number | null
  late: boolean
  cause: string | null
  bodyText: string
  /** Somebody cancelled the run. */
  cancelled: boolean
}

/** Times of an agent's clock are clamped to the server's own times. */
export function prepareResult(incoming: IncomingResult): PreparedResult {
  const { identity, report, receivedAt, leasedAt } = incoming
  const clamped = (time: number, from: number) => Math.round(Math.min(Math.max(time, from), Math.max(from, receivedAt)))
  const startedAt = report.startedAt === null ? null : clamped(report.startedAt, leasedAt ?? identity.dueAt)
  const stoppedAt = startedAt === null || report.stoppedAt === null ? null : clamped(report.stoppedAt, startedAt)
  const { verdict, error, internalError, metrics, result } = report
  return {
    incoming,
    id: identity.attemptId,
    dueAt: identity.dueAt,
    startedAt,
    stoppedAt,
    late: isLate(incoming),
    cause: verdict.cause === '' ? null : storableText(verdict.cause),
    bodyText: boundBody({ result, verdict, error, internalError, metrics }),
    cancelled: false,
  }
}

/** The result of a run that was cancelled while an agent had it: whatever it saw, it says nothing about the target. */
export function cancelledResult({ incoming }: PreparedResult): PreparedResult {
  const report = unknownContent({ code: 'CANCELLED', text: 'The run was cancelled.' })
  return { ...prepareResult({ ...incoming, report }), cancelled: true }
}

/**
 * Counted from the lease, by the server's clock: a run that waited in the queue, or for its back-off, looked at its target
 * after that. What was never leased is not late: a loss, or a passive result, which follows from all events so far.
 */
const isLate = ({ receivedAt, leasedAt }: IncomingResult): boolean =>
  leasedAt !== null && receivedAt - leasedAt > staleAfterMs

/** JSON of the row of `check_results`. */
export function resultRowText({ prepared, resultType }: PlannedResult): string {
  const { identity, report, receivedAt } = prepared.incoming
  const { outcome, degraded, overMaxResponseTime } = report.verdict
  const row = JSON.stringify({
    due_at: new Date(identity.dueAt).toISOString(),
    id: identity.attemptId,
    account_id: identity.accountId,
    check_id: identity.checkId,
    revision: identity.revision,
    location: identity.location,
    result_type: resultType,
    outcome,
    has_failures: outcome === 'fail',
    has_errors: outcome === 'unknown' && !prepared.cancelled,
    is_degraded: degraded && outcome === 'pass',
    over_max: overMaxResponseTime,
    is_cancelled: prepared.cancelled,
    attempts: identity.attempt,
    check_run_id: identity.dueAt,
    sequence_id: identity.sequenceId,
    response_ms: report.responseMs,
    started_at: isoTime(prepared.startedAt),
    stopped_at: isoTime(prepared.stoppedAt),
    received_at: isoTime(receivedAt),
    late: prepared.late,
    emulated: identity.emulated,
    clock_offset_ms: report.clockOffsetMs,
    timing_uncertainty_ms: report.timingUncertaintyMs,
    source: identity.source,
    cause: prepared.cause,
  })
  return `${row.slice(0, -1)},"body":${prepared.bodyText}}`
}

/** A result with its position in the run. */
export interface PlannedResult {
  prepared: PreparedResult
  resultType: ResultType
  retry: PendingRun | undefined
  /** The check had another revision when the run was due: it says nothing of the check. */
  isOutdated: boolean
}
