import type { Outcome, StripRun } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { slugOf } from '../../db/location-slug.ts'
import { isException } from '../../db/result-exceptions.ts'

const stripLength = 30
const stripDays = 7

/** A run as JSON: id, due time, response time, failed, location. */
type Narrow = [id: string, at: string, ms: number | null, failed: boolean, location: string | null]

/** The last runs of a check that has some. */
interface Strip {
  id: string
  runs: [Narrow, ...Narrow[]]
}

/**
 * The last runs of checks, oldest first, from indexes alone. Named statements: planning over all days takes longer than
 * reading.
 */
export async function readStrips(
  client: Queryable,
  checkIds: readonly string[],
  at: Date,
): Promise<Map<string, StripRun[]>> {
  const { rows } = await client.query<Strip>({
    name: 'overview-strips',
    text: `SELECT w.id, json_agg(json_build_array(r.id, r.due_at, r.response_ms, r.has_failures, ${slugOf('r.location')})
         ORDER BY r.due_at, r.id) AS runs
       FROM unnest($1::uuid[]) AS w(id) CROSS JOIN LATERAL (
         SELECT id, due_at, response_ms, has_failures, location FROM check_results
         WHERE check_id = w.id AND result_type = 'FINAL' AND due_at > $2
         ORDER BY due_at DESC, id DESC LIMIT ${stripLength}) r
       GROUP BY w.id`,
    values: [checkIds, new Date(at.getTime() - stripDays * 86_400_000)],
  })
  const exceptions = await readExceptions(client, rows)
  return new Map(rows.map(({ id, runs }) => [id, runs.map((run) => stripRunOf(run, exceptions.get(run[0])))]))
}

interface Exception {
  id: string
  outcome: Outcome
  degraded: boolean
  retries: number
}

/** Those of the runs that are no plain pass or fail, by their ids. */
async function readExceptions(client: Queryable, strips: readonly Strip[]): Promise<Map<string, Exception>> {
  const begins = strips.map(({ runs: [oldest] }) => oldest[1])
  const { rows } = await client.query<Exception>({
    name: 'overview-strip-exceptions',
    text: `SELECT r.id, r.outcome, r.is_degraded AS degraded, r.attempts AS retries
       FROM unnest($1::uuid[], $2::timestamptz[]) AS w(id, since)
       JOIN check_results r ON r.check_id = w.id AND r.due_at >= w.since
       WHERE r.due_at >= $3 AND r.result_type = 'FINAL' AND ${isException('r')}`,
    values: [strips.map(({ id }) => id), begins, begins.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

const stripRunOf = ([id, at, ms, failed, location]: Narrow, exception: Exception | undefined): StripRun => ({
  id,
  at: new Date(at).toISOString(),
  outcome: exception?.outcome ?? (failed ? 'fail' : 'pass'),
  degraded: exception?.degraded ?? false,
  ms,
  location,
  retries: exception?.retries ?? 0,
})
