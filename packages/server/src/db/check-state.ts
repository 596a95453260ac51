import { staleAfterMs } from '@vedette/wire'

/** SQL over `c` (checks) and `s` (check_status). `now` is the parameter that holds the current time. */

/** Due time of the newest run that said anything about the target; null before the first. */
const lastWord = `to_timestamp(nullif((s.alert_state->>'dueAt')::float8, 0) / 1000)`

const period = `interval '1 second' * CASE WHEN (c.effective->>'frequency')::int = 0
  THEN (c.effective->>'frequencyOffset')::int ELSE (c.effective->>'frequency')::int * 60 END`

/** A run may wait until it is stale before it counts as missed; runs that already end as *not known* are no such wait. */
const patience = `CASE WHEN s.has_errors THEN interval '10 seconds' ELSE interval '${staleAfterMs} milliseconds' END`

/** What was good long ago is not good now: nothing is known any more. Trouble stays trouble until somebody sees it end. */
const isSilent = (now: string): string =>
  `(c.activated AND s.state IN ('passing', 'degraded') AND ${now}::timestamptz - ${lastWord} > 2 * ${period} + ${patience})`

/** The state people are shown. */
export const shownState = (now: string): string =>
  `CASE WHEN NOT c.activated THEN 'paused' WHEN c.not_runnable IS NOT NULL OR ${isSilent(now)} THEN 'unknown' ELSE s.state END`

/** Since when: of a check that fell silent, since its last word. */
export const shownSince = (now: string): string => `CASE WHEN ${isSilent(now)} THEN ${lastWord} ELSE s.state_since END`

export const shownCause = (now: string): string =>
  `CASE WHEN ${isSilent(now)} THEN 'No run has said anything about the target since then.' ELSE s.cause END`
