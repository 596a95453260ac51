import type { Urgency } from '../queue/run-queue.ts'
import type { CommittedResult, RunRef } from '../runs.ts'

interface Newest {
  /** Of the newest final result. */
  condition: 'passing' | 'degraded' | 'failing' | 'unknown'
  /** Known, and the final result before it was the same, or channels were notified of the change. */
  isSteady: boolean
}

/** Parallel runs are judged for each location, others for the check as a whole. */
const wholeCheck = ''

/**
 * The newest outcomes of this term, by which a run is urgent: nothing is known of its check yet, or the run confirms
 * a change. After a start everything is urgent once.
 */
export class Outlook {
  readonly #newest = new Map<string, Map<string, Newest>>()

  follow(result: CommittedResult, runParallel: boolean): void {
    const { checkId, location, resultType, outcome, degraded, notifications } = result
    if (resultType !== 'FINAL') return
    const key = runParallel && location !== null ? location : wholeCheck
    const condition = conditionOf(outcome, degraded)
    const of = this.#newest.get(checkId) ?? new Map<string, Newest>()
    const isSettled = of.get(key)?.condition === condition || notifications > 0
    of.set(key, { condition, isSteady: condition !== 'unknown' && isSettled })
    this.#newest.set(checkId, of)
  }

  urgencyOf({ checkId, location, attempt, source }: RunRef, runParallel: boolean): Urgency {
    // Somebody waits for a run that was asked for.
    if (source !== 'SCHEDULER') return 'urgent'
    const newest = this.#newest.get(checkId)?.get(runParallel ? location : wholeCheck)
    if (newest?.condition === 'unknown') return 'overdue'
    if (newest === undefined || !newest.isSteady) return 'urgent'
    return attempt > 0 && newest.condition !== 'failing' ? 'urgent' : 'steady'
  }

  forget(checkId: string): void {
    this.#newest.delete(checkId)
  }

  /** A term begins: what this process knew is old. */
  clear(): void {
    this.#newest.clear()
  }
}

function conditionOf(outcome: CommittedResult['outcome'], degraded: boolean): Newest['condition'] {
  if (outcome === 'pass') return degraded ? 'degraded' : 'passing'
  return outcome === 'fail' ? 'failing' : 'unknown'
}
