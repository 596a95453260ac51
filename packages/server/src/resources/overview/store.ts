import { checkTypeOf } from '@vedette/checks'
import { intervalMs, type CheckState, type OverviewRow } from '@vedette/wire'
import { shownCause, shownSince, shownState } from '../../db/check-state.ts'
import type { Database } from '../../db/database.ts'
import { slugOf, slugsOf } from '../../db/location-slug.ts'
import type { Page } from '../../http/schemas/paging.ts'
import { offsetOf } from '../../http/schemas/paging.ts'
import { isMuted } from '../../settings/muted.ts'
import type { StoredEffective } from '../../settings/store.ts'

export interface OverviewFilter extends Page {
  accountId: string
  nowMs: number
  search: string | undefined
  tags: readonly string[]
  states: readonly CheckState[]
  checkId: string | undefined
}

interface StoredRow extends Omit<
  OverviewRow,
  'locationCount' | 'periodMs' | 'action' | 'host' | 'muted' | 'mutedUntil'
> {
  definition: Record<string, unknown>
  effective: StoredEffective
}

/** Order: checks in trouble first, newest trouble on top; then the others by name. */
const troubleFirst = `CASE state WHEN 'failing' THEN 0 WHEN 'degraded' THEN 1 WHEN 'unknown' THEN 2 WHEN 'pending' THEN 3 WHEN 'passing' THEN 4 ELSE 5 END,
  CASE WHEN state IN ('failing', 'degraded', 'unknown') THEN "stateSince" END DESC NULLS LAST, lower(name), "checkId"`

const matching = `SELECT c.id AS "checkId", c.name, c.type AS "checkType", c.tags, c.activated, c.definition, c.effective, ${shownState('$5')} AS state,
    ${shownSince('$5')} AS "stateSince", ${shownCause('$5')} AS cause, s.last_run_at AS "lastRunAt", s.last_pass_at AS "lastPassAt", s.last_result_id AS "lastResultId",
    ${slugOf('s.last_run_location')} AS "lastRunLocation", ${slugsOf('s.failing_locations')} AS "failingLocations", s.overlap_count AS overlaps, c.not_runnable AS "notRunnable"
  FROM checks c JOIN check_status s ON s.check_id = c.id
  WHERE c.account_id = $1 AND c.deleted_at IS NULL
    AND ($2::text IS NULL OR c.name ILIKE $2 OR c.target ILIKE $2)
    AND (cardinality($3::text[]) = 0 OR c.tags && $3::text[])
    AND ($4::uuid IS NULL OR c.id = $4)`

/** Read for the rows of the page alone. */
const acknowledgement = `(SELECT jsonb_build_object('by', e.acknowledged_by, 'at', e.acknowledged_at) FROM check_episodes e
  WHERE e.check_id = page."checkId" AND e.ended_at IS NULL AND e.acknowledged_at IS NOT NULL)`

const stripLength = 30
const stripDays = 7

/** The list of the web app, read in few queries whatever the number of checks. */
export const overviewStore = (db: Database) => ({
  async counts(filter: OverviewFilter): Promise<Partial<Record<CheckState, number>>> {
    const { rows } = await db.pool.query<{ state: CheckState; n: number }>(
      `SELECT state, count(*)::int AS n FROM (${matching}) m GROUP BY state`,
      filterValues(filter),
    )
    return Object.fromEntries(rows.map((row) => [row.state, row.n]))
  },

  async tags(accountId: string): Promise<string[]> {
    const { rows } = await db.pool.query<{ tag: string }>(
      `SELECT DISTINCT unnest(tags) AS tag FROM checks WHERE account_id = $1 AND deleted_at IS NULL ORDER BY tag LIMIT 200`,
      [accountId],
    )
    return rows.map((row) => row.tag)
  },

  async page(filter: OverviewFilter): Promise<OverviewRow[]> {
    const { rows } = await db.pool.query<{ items: StoredRow[] | null }>(
      `WITH page AS (
         SELECT * FROM (${matching}) m WHERE cardinality($6::text[]) = 0 OR state = ANY($6::text[])
         ORDER BY ${troubleFirst} LIMIT $7 OFFSET $8)
       SELECT json_agg(to_jsonb(page) || jsonb_build_object('runs', runs, 'acknowledged', ${acknowledgement}) ORDER BY ${troubleFirst}) AS items
       FROM page CROSS JOIN LATERAL (
         SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'at', due_at, 'outcome', outcome, 'degraded', is_degraded,
                  'ms', response_ms, 'location', ${slugOf('location')}) ORDER BY due_at, id), '[]') AS runs
         FROM (SELECT id, due_at, outcome, is_degraded, response_ms, location FROM check_results
               WHERE check_id = page."checkId" AND result_type = 'FINAL' AND due_at > $9
               ORDER BY due_at DESC, id DESC LIMIT ${stripLength}) r) strip`,
      [
        ...filterValues(filter),
        filter.states,
        filter.limit,
        offsetOf(filter),
        new Date(filter.nowMs - stripDays * 86_400_000),
      ],
    )
    return (rows[0]?.items ?? []).map((row) => toOverviewRow(row, filter.nowMs))
  },
})

function filterValues(filter: OverviewFilter): unknown[] {
  const search = filter.search === undefined ? null : `%${filter.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return [filter.accountId, search, filter.tags, filter.checkId ?? null, new Date(filter.nowMs)]
}

function toOverviewRow({ definition, effective, ...row }: StoredRow, nowMs: number): OverviewRow {
  const muted = isMuted(effective, nowMs)
  const target = checkTypeOf(row.checkType)?.describe(definition) ?? { action: '', host: '' }
  return {
    ...row,
    ...target,
    muted,
    mutedUntil: muted ? (effective.mutedUntil ?? null) : null,
    acknowledged: row.acknowledged && { by: row.acknowledged.by, at: new Date(row.acknowledged.at).toISOString() },
    locationCount: effective.locations.length,
    periodMs: periodOf(effective),
    stateSince: isoTime(row.stateSince),
    lastRunAt: isoTime(row.lastRunAt),
    lastPassAt: isoTime(row.lastPassAt),
    runs: row.runs.map((run) => ({ ...run, at: new Date(run.at).toISOString() })),
  }
}

/** Null for checks without a period of their own: passive ones. */
const periodOf = ({ frequency, frequencyOffset }: StoredEffective): number | null =>
  frequency === null ? null : intervalMs({ frequency, frequencyOffset: frequencyOffset ?? 0 })

const isoTime = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())
