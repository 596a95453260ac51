import type { Outcome, ResultType, SessionStatus } from '@vedette/wire'

/** A result of a session, as far as its status depends on it. */
export interface SessionResult {
  /** The run at one location. */
  sequenceId: string
  resultType: ResultType
  outcome: Outcome
  degraded: boolean
}

export interface SessionFacts {
  /** The runs of the session, one for each location; empty while it waits for its turn. */
  sequenceIds: readonly string[]
  cancelled: readonly string[]
  results: readonly SessionResult[]
  /** When it ends without its results, epoch milliseconds; null while it waits for its turn. */
  giveUpAt: number | null
  now: number
}

/**
 * What a session that has not ended is, or ends as. Cancelled runs say nothing about the target. One location that failed
 * makes it FAILED, and so does a run of which nothing is known: whoever waits for it must not take it for a pass.
 */
export function sessionStatus({ sequenceIds, cancelled, results, giveUpAt, now }: SessionFacts): SessionStatus {
  if (giveUpAt !== null && now >= giveUpAt) return 'TIMED_OUT'
  const known = results.filter(({ sequenceId }) => !cancelled.includes(sequenceId))
  const final = known.filter(({ resultType }) => resultType === 'FINAL')
  const over = new Set([...cancelled, ...final.map(({ sequenceId }) => sequenceId)])
  if (sequenceIds.length === 0 || !sequenceIds.every((id) => over.has(id))) return progressOf(known)
  return final.length === 0 ? 'CANCELLED' : finalOf(final)
}

const isFailed = ({ outcome }: SessionResult): boolean => outcome !== 'pass'
const isDegraded = ({ degraded }: SessionResult): boolean => degraded

function progressOf(results: readonly SessionResult[]): SessionStatus {
  if (results.length === 0) return 'STARTED'
  if (results.some(isFailed)) return 'PROGRESS_FAILED'
  return results.some(isDegraded) ? 'PROGRESS_DEGRADED' : 'PROGRESS'
}

function finalOf(results: readonly SessionResult[]): SessionStatus {
  if (results.some(isFailed)) return 'FAILED'
  return results.some(isDegraded) ? 'DEGRADED' : 'PASSED'
}
