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
  state: Pick<AlertState, 'condition' | 'dueAt' | 'since' | 'notified' | 'held' | 'unwatched'>
}

/** How long a failure holds back of which nobody is told: its threshold may be days away, or never be reached. */
const longestUntoldMs = 15 * 60_000

/**
 * The parent for which alerts are held back that would open a trouble of its child. When in doubt the child alerts: a parent
 * that is not known, off or muted holds nothing back, nor does one of whose failure nobody would hear, or hears for long.
 */
export const holdingParent = (parents: readonly Parent[], nowMs: number): Parent | undefined =>
  parents.find((parent) => parent.runs && !parent.muted && parent.isHeard && isFailing(parent, nowMs))

/**
 * A failure that no run has seen for long, or since the clock was set back, or after which runs could not tell, is not known to
 * last.
 */
function isFailing({ state, periodMs }: Parent, nowMs: number): boolean {
  const { condition, dueAt, unwatched } = state
  if (condition !== 'failing' || unwatched !== null || dueAt > nowMs + mostAheadMs) return false
  if (!isTold(state) && nowMs - state.since > longestUntoldMs) return false
  return periodMs === null || nowMs - dueAt <= 2 * periodMs + staleAfterMs
}

/** Somebody is notified of its failure, or of the one that it is held back for. */
const isTold = ({ notified, held }: Parent['state']): boolean => notified === 'failing' || held !== null
