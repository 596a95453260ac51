import { staleAfterMs } from '@vedette/wire'

/** SQL over `c` (checks) and `s` (check_status). `now` is the parameter that holds the current time. */

/** Due time of the newest run with a known outcome; null before the first. */
const lastKnown = `to_timestamp(nullif((s.alert_state->>'dueAt')::float8, 0) / 1000)`

const period = `interval '1 second' * CASE WHEN (c.effective->>'frequency')::int = 0
  THEN (c.effective->>'frequencyOffset')::int ELSE (c.effective->>'frequency')::int * 60 END`

/** A run may wait until it is stale before it counts as missed. Runs that end as *not known* do not wait. */
const patience = `CASE WHEN s.has_errors THEN interval '10 seconds' ELSE interval '${staleAfterMs} milliseconds' END`

/** Why the newest run says nothing; null when it does. */
const whyUnknown = `s.alert_state->'unwatched'->'triggeringResult'->>'cause'`

/** A state that was good long ago counts as unknown. A trouble stays until a run sees its end. */
const isStale = (now: string): string =>
  `(c.activated AND s.state IN ('passing', 'degraded') AND ${now}::timestamptz - ${lastKnown} > 2 * ${period} + ${patience})`

/** The state shown to users. */
export const shownState = (now: string): string =>
  `CASE WHEN NOT c.activated THEN 'paused' WHEN c.not_runnable IS NOT NULL OR ${isStale(now)} THEN 'unknown' ELSE s.state END`

/** Since when the check is in that state: for one without recent runs, since its last known outcome. */
export const shownSince = (now: string): string => `CASE WHEN ${isStale(now)} THEN ${lastKnown} ELSE s.state_since END`

export const shownCause = (now: string): string =>
  `CASE WHEN ${isStale(now)} THEN concat_ws(' ', 'No run has said anything about the target since then.', ${whyUnknown}) ELSE s.cause END`
