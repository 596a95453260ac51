import { staleAfterMs, type CheckState } from '@vedette/wire'

/** SQL over `c` (checks) and `s` (check_status). `now` is the parameter that holds the current time. */

/** A run may wait until it is stale before it counts as missed. Runs that end as *not known* do not wait. */
const afterErrorsMs = 10_000
const patienceSeconds = `CASE WHEN s.has_errors THEN ${afterErrorsMs / 1000} ELSE ${staleAfterMs / 1000} END`

/** Why the newest run says nothing; null when it does. */
const whyUnknown = `s.alert_state->'unwatched'->'triggeringResult'->>'cause'`

/** A state that was good long ago counts as unknown. A trouble stays until a run sees its end. */
const isStale = (now: string): string =>
  `(c.activated AND s.state IN ('passing', 'degraded') AND s.known_at < ${now}::timestamptz - (2 * c.period_seconds + ${patienceSeconds}) * interval '1 second')`

/** What is known of a check that cannot run any more is out of date. One that never ran waits for its first run. */
const cannotRun = `(c.not_runnable IS NOT NULL AND s.state <> 'pending')`

/** The state shown to users. */
export const shownState = (now: string): string =>
  `CASE WHEN NOT c.activated THEN 'paused' WHEN ${cannotRun} OR ${isStale(now)} THEN 'unknown' ELSE s.state END`

/** Since when the check is in that state: for one without recent runs, since its last known outcome. */
export const shownSince = (now: string): string => `CASE WHEN ${isStale(now)} THEN s.known_at ELSE s.state_since END`

const staleCause = 'No run has said anything about the target since then.'

export const shownCause = (now: string): string =>
  `CASE WHEN ${isStale(now)} THEN concat_ws(' ', '${staleCause}', ${whyUnknown}) ELSE s.cause END`

/** What the shown state follows from. Times are epoch milliseconds. */
export interface StateFacts {
  activated: boolean
  notRunnable: string | null
  state: string
  stateSince: number | null
  cause: string | null
  hasErrors: boolean
  /** Due time of the newest run with a known outcome; null before the first. */
  knownAt: number | null
  /** Why the newest run says nothing; null when it does. */
  whyUnknown: string | null
  /** null for a check without a schedule. */
  periodMs: number | null
}

export interface ShownStatus {
  state: CheckState
  since: number | null
  cause: string | null
}

/** The same rules for a check whose row is in memory. */
export function shownStatus(facts: StateFacts, nowMs: number): ShownStatus {
  const stale = isStaleAt(facts, nowMs)
  const cannotRunNow = facts.notRunnable !== null && facts.state !== 'pending'
  return {
    state: !facts.activated ? 'paused' : cannotRunNow || stale ? 'unknown' : (facts.state as CheckState),
    since: stale ? facts.knownAt : facts.stateSince,
    cause: stale ? [staleCause, facts.whyUnknown].filter((part) => part !== null).join(' ') : facts.cause,
  }
}

function isStaleAt({ activated, state, knownAt, periodMs, hasErrors }: StateFacts, nowMs: number): boolean {
  if (!activated || !['passing', 'degraded'].includes(state) || knownAt === null || periodMs === null) return false
  return nowMs - knownAt > 2 * periodMs + (hasErrors ? afterErrorsMs : staleAfterMs)
}
