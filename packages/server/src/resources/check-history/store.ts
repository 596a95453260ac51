import type { LocationId } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { isException } from '../../db/result-exceptions.ts'

export interface WatchedCheck {
  type: string
  /** Where it runs now. */
  locations: LocationId[]
  runParallel: boolean
  periodSeconds: number | null
}

export async function readWatched(
  client: Queryable,
  account: string,
  checkId: string,
): Promise<WatchedCheck | undefined> {
  const { rows } = await client.query<WatchedCheck>(
    `SELECT type, effective->'locations' AS locations, (effective->>'runParallel')::boolean AS "runParallel",
       period_seconds AS "periodSeconds"
     FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [account, checkId],
  )
  return rows[0]
}

/** The runs of one location in a part of the range: entry n of each list is of one run. */
export interface RunsOfLocation {
  /** Its id; null for passive checks. */
  location: string | null
  /** Due time, in seconds after the beginning of the part. */
  at: number[]
  ms: (number | null)[]
  /** One letter each: passed, degraded, failed, unknown. */
  outcomes: string
  retried: number
}

/**
 * From indexes alone: that of all results, and that of the few which are no plain pass or fail. A named statement, because
 * planning over all days takes longer than reading.
 */
export async function readRuns(
  client: Queryable,
  checkId: string,
  { from, to }: { from: number; to: number },
): Promise<RunsOfLocation[]> {
  const within = (results: string) =>
    `${results}.check_id = $1 AND ${results}.due_at >= $2 AND ${results}.due_at < $3 AND ${results}.result_type = 'FINAL'`
  const { rows } = await client.query<RunsOfLocation>({
    name: 'check-history-runs',
    text: `SELECT r.location, json_agg(date_part('epoch', r.due_at - $2)) AS at, json_agg(r.response_ms) AS ms,
         string_agg(CASE WHEN r.has_failures THEN 'f' WHEN e.outcome = 'unknown' THEN 'u' WHEN e.is_degraded THEN 'd'
           ELSE 'p' END, '') AS outcomes, (count(*) FILTER (WHERE e.attempts > 0))::int AS retried
       FROM (SELECT r.id, r.due_at, r.location, r.response_ms, r.has_failures FROM check_results r WHERE ${within('r')}) r
       LEFT JOIN (SELECT x.id, x.due_at, x.outcome, x.is_degraded, x.attempts FROM check_results x
         WHERE ${within('x')} AND ${isException('x')}) e ON e.due_at = r.due_at AND e.id = r.id
       GROUP BY r.location`,
    values: [checkId, new Date(from), new Date(to)],
  })
  return rows
}

export interface MeasuredRun {
  /** Due time, in seconds after the beginning of the part. */
  at: number
  metrics: Partial<Record<string, unknown>>
}

/** What runs of a part measured, failed ones too. It reads whole results: for short ranges only. */
export async function readMetrics(
  client: Queryable,
  checkId: string,
  { from, to }: { from: number; to: number },
): Promise<MeasuredRun[]> {
  const { rows } = await client.query<MeasuredRun>({
    name: 'check-phases-runs',
    text: `SELECT date_part('epoch', due_at - $2) AS at, coalesce(body->'metrics', '{}') AS metrics FROM check_results
       WHERE check_id = $1 AND due_at >= $2 AND due_at < $3 AND result_type = 'FINAL'`,
    values: [checkId, new Date(from), new Date(to)],
  })
  return rows
}

interface HistoryOf {
  account: string
  checkId: string
  from: number
  to: number
}

export interface Gap {
  /** Id of a location; null: all of them. */
  location: string | null
  from: number
  to: number
  reason: string
}

const mostGaps = 1000

/** Times in which nothing was watched that concern the check, at these locations. */
export async function readGaps(
  client: Queryable,
  { account, checkId, from, to }: HistoryOf,
  locations: readonly string[],
): Promise<Gap[]> {
  const { rows } = await client.query<Omit<Gap, 'from' | 'to'> & { from_at: Date; to_at: Date }>(
    `SELECT location, from_at, to_at, reason FROM coverage_gaps
     WHERE (account_id IS NULL OR account_id = $1) AND (check_id IS NULL OR check_id = $2)
       AND (location IS NULL OR location = ANY($3::text[])) AND to_at >= $4 AND from_at < $5
     ORDER BY from_at DESC, id DESC LIMIT ${mostGaps}`,
    [account, checkId, locations, new Date(from), new Date(to)],
  )
  return rows.map(({ from_at, to_at, ...gap }) => ({ ...gap, from: from_at.getTime(), to: to_at.getTime() }))
}

export async function readRevisions(
  client: Queryable,
  { account, checkId, from, to }: HistoryOf,
): Promise<{ at: Date; revision: number }[]> {
  const { rows } = await client.query<{ at: Date; revision: number }>(
    `SELECT created_at AS at, revision FROM check_revisions
     WHERE account_id = $1 AND check_id = $2 AND created_at >= $3 AND created_at < $4 ORDER BY revision`,
    [account, checkId, new Date(from), new Date(to)],
  )
  return rows
}
