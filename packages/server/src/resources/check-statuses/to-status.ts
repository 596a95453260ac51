import { isoTime, type CheckStatus } from '@vedette/wire'
import { shownStatus } from '../../db/check-state.ts'
import type { StoredStatus } from './store.ts'

const dayMs = 86_400_000

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))
const isoOf = (text: string | null): string | null => isoTime(timeOf(text))

/** How the API shows the status of a check. `slugOf` names its locations. */
export function toStatus(row: StoredStatus, slugOf: (location: string) => string, now: number): CheckStatus {
  const shown = shownStatus(
    {
      activated: row.activated,
      notRunnable: row.not_runnable,
      state: row.state,
      stateSince: timeOf(row.state_since),
      cause: row.cause,
      hasErrors: row.has_errors,
      knownAt: timeOf(row.known_at),
      whyUnknown: row.why_unknown,
      periodMs: row.period_seconds === null ? null : row.period_seconds * 1000,
    },
    now,
  )
  return {
    name: row.name,
    checkId: row.id,
    hasFailures: row.has_failures,
    hasErrors: row.has_errors,
    isDegraded: row.is_degraded,
    longestRun: row.longest_run,
    shortestRun: row.shortest_run,
    lastRunLocation: row.last_run_location === null ? null : slugOf(row.last_run_location),
    lastCheckRunId: row.last_check_run_id,
    sslDaysRemaining: row.ssl_not_after === null ? null : Math.floor((Date.parse(row.ssl_not_after) - now) / dayMs),
    created_at: isoTime(Date.parse(row.created_at)),
    updated_at: isoOf(row.updated_at),
    state: shown.state,
    stateSince: isoTime(shown.since),
    cause: shown.cause,
    lastResultId: row.last_result_id,
    lastRunAt: isoOf(row.last_run_at),
    lastPassAt: isoOf(row.last_pass_at),
    failingLocations: row.failing_locations.map(slugOf),
    overlaps: row.overlap_count,
    notRunnable: row.not_runnable,
  }
}
