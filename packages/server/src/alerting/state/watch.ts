import { staleAfterMs, type AlertType } from '@vedette/wire'
import type { AlertState, TriggeringResult, Unwatched } from './alert-state.ts'
import { triggeringResultOf, type DecidedResult } from './next-state.ts'
import { hasKnownLocation } from './parallel-run.ts'

/**
 * A check whose results are *not known* in a row is not being watched, which is a trouble of its own beside the state of
 * its target: neither moves the other. Channels are notified once: with the third *not known* slot in a row, with one
 * that is due an hour after the first, or when no known result followed the first for an hour and the six minutes that a
 * run may wait (`isUnwatchedAfter`), so that a check that runs once a day is no exception. The first known result that is
 * newer than all of them and in time ends it. A parallel check is watched while one of its locations knows.
 */
const runsInARow = 3
const longestMs = 3_600_000

export interface WatchAlert {
  type: Extract<AlertType, 'ALERT_UNKNOWN' | 'ALERT_UNKNOWN_RECOVERY'>
  unwatched: Unwatched
  triggeringResult: TriggeringResult
}

export interface WatchPolicy {
  /** Nobody is to be notified. */
  quiet: boolean
  /** The parent that fails, for which nobody is notified now. */
  heldBy?: string | undefined
}

/** What a result says of whether the check is watched. */
export function watchAfter(
  state: AlertState,
  result: DecidedResult,
  policy: WatchPolicy,
): { state: AlertState; alert: WatchAlert | undefined } {
  return result.outcome === 'unknown' ? unknownAfter(state, result, policy) : knownAfter(state, result)
}

/** Whether a check is unwatched so long after its first *not known* result was due, although no other result followed. */
export const isUnwatchedAfter = (passedMs: number): boolean => passedMs >= longestMs + staleAfterMs

function unknownAfter(state: AlertState, result: DecidedResult, { quiet, heldBy }: WatchPolicy) {
  if (result.parallel && hasKnownLocation(state, result.parallel)) return { state, alert: undefined }
  const { heldBy: _, ...row } = longer(state.unwatched, result)
  const isDue = row.runs >= runsInARow || row.newestAt - row.since >= longestMs
  if (!isDue || row.notified || quiet) return { state: { ...state, unwatched: row }, alert: undefined }
  if (heldBy !== undefined) return { state: { ...state, unwatched: { ...row, heldBy } }, alert: undefined }
  const unwatched = { ...row, notified: true }
  const alert: WatchAlert = { type: 'ALERT_UNKNOWN', unwatched, triggeringResult: row.triggeringResult }
  return { state: { ...state, unwatched }, alert }
}

function longer(row: Unwatched | null, result: DecidedResult): Unwatched {
  const { dueAt } = result
  const triggeringResult = triggeringResultOf(result)
  if (!row) return { since: dueAt, newestAt: dueAt, runs: 1, triggeringResult, notified: false }
  return dueAt > row.newestAt ? { ...row, newestAt: dueAt, runs: row.runs + 1, triggeringResult } : row
}

/** What becomes of an alert that the check is not being watched, when it is not held back any more; undefined when none is. */
export function releaseWatch(state: AlertState): { state: AlertState; unwatched: Unwatched } | undefined {
  if (state.unwatched?.heldBy === undefined || state.unwatched.notified) return undefined
  const { heldBy: _, ...row } = state.unwatched
  const unwatched = { ...row, notified: true }
  return { state: { ...state, unwatched }, unwatched }
}

function knownAfter(state: AlertState, result: DecidedResult) {
  const { unwatched } = state
  if (!unwatched || result.dueAt < unwatched.newestAt) return { state, alert: undefined }
  // A late result is no sign that the check is watched now.
  if (unwatched.notified && result.late) return { state, alert: undefined }
  const alert: WatchAlert = { type: 'ALERT_UNKNOWN_RECOVERY', unwatched, triggeringResult: triggeringResultOf(result) }
  return { state: { ...state, unwatched: null }, alert: unwatched.notified ? alert : undefined }
}

/** Why a check is not being watched, in one sentence. */
export function causeOfUnwatched({ runs, triggeringResult: { cause } }: Unwatched): string {
  const which = runs === 1 ? 'The last run' : `The last ${runs} runs`
  return `${which} could not tell how the target is. ${cause ?? 'No cause is known.'}`
}
