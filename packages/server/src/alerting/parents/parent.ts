import { mostAheadMs, staleAfterMs } from '@vedette/wire'
import type { AlertState } from '../state/alert-state.ts'

/** A parent of a check, as far as its children go by it. Times are epoch milliseconds. */
export interface Parent {
  id: string
  /** It is switched on and can run. */
  runs: boolean
  muted: boolean
  /** At least one channel hears of its failures. */
  isHeard: boolean
  /** null for a check without a schedule. */
  periodMs: number | null
  state: Pick<AlertState, 'condition' | 'dueAt' | 'unwatched'>
}

/**
 * The parent for which alerts are held back that would open a trouble of its child. When in doubt the child alerts: a parent
 * that is not known, off or muted holds nothing back, nor does one of whose failure nobody would hear.
 */
export const holdingParent = (parents: readonly Parent[], nowMs: number): Parent | undefined =>
  parents.find((parent) => parent.runs && !parent.muted && parent.isHeard && isFailing(parent, nowMs))

/** A failure that no run has seen for long, or since the clock was set back, or after which runs could not tell, is not known to last. */
function isFailing({ state: { condition, dueAt, unwatched }, periodMs }: Parent, nowMs: number): boolean {
  if (condition !== 'failing' || unwatched !== null || dueAt > nowMs + mostAheadMs) return false
  return periodMs === null || nowMs - dueAt <= 2 * periodMs + staleAfterMs
}
