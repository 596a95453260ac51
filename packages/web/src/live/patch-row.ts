import type { LiveEvent, OverviewRow } from '@vedette/wire'

export type ResultEvent = Extract<LiveEvent, { kind: 'result' }>

/** As many runs as the server sends with a row. */
const stripLength = 30

/** The row after results of its check, in the order of their commits. The same object when it has them all already. */
export function patchRow(row: OverviewRow, events: readonly ResultEvent[]): OverviewRow {
  const finals = events.filter(({ resultType }) => resultType === 'FINAL')
  const newest = finals.at(-1)
  if (newest === undefined || row.runs.some(({ id }) => id === newest.resultId)) return row
  return finals.reduce(withResult, row)
}

/** As the server would send it now. */
function withResult(row: OverviewRow, event: ResultEvent): OverviewRow {
  const run = {
    id: event.resultId,
    at: event.dueAt,
    outcome: event.outcome,
    degraded: event.degraded,
    ms: event.responseTime,
    location: event.location,
    retries: event.attempts,
  }
  // A result that arrives late belongs among those of its time. What it makes of the check holds all the same.
  const runs = [...row.runs.filter(({ id }) => id !== run.id), run]
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .slice(-stripLength)
  const { state, stateSince, cause, failingLocations, lastPassAt } = event
  const judged = { ...row, runs, state, stateSince, cause, failingLocations, lastPassAt }
  if (runs.at(-1)?.id !== run.id) return judged
  return {
    ...judged,
    lastRunAt: event.dueAt,
    lastResultId: event.resultId,
    lastRunLocation: event.location,
    lastMs: event.responseTime,
  }
}

/** Counts by state after a check went from one state to another. */
export function patchCounts<Counts extends Partial<Record<OverviewRow['state'], number>>>(
  counts: Counts,
  from: OverviewRow['state'],
  to: OverviewRow['state'],
): Counts {
  if (from === to) return counts
  return { ...counts, [from]: Math.max(0, (counts[from] ?? 0) - 1), [to]: (counts[to] ?? 0) + 1 }
}
