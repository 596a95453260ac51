import type { Queryable } from '../../../db/database.ts'
import { isException } from '../../../db/result-exceptions.ts'

/** An hour of a check: epoch milliseconds at which it begins. */
export interface CheckHour {
  checkId: string
  hour: number
}

/** Runs of an hour whose outcome is known. */
export interface HourCount {
  passed: number
  failed: number
}

/** Those of the checks that belong to the account, in the order asked for. */
export async function checksOfAccount(
  client: Queryable,
  accountId: string,
  checkIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM checks WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL',
    [accountId, checkIds],
  )
  const known = new Set(rows.map(({ id }) => id))
  return checkIds.filter((id) => known.has(id))
}

/** Counts the runs of each of these hours, in their order, from indexes alone. */
export async function countHours(client: Queryable, hours: readonly CheckHour[]): Promise<HourCount[]> {
  const within = (results: string) =>
    `${results}.check_id = w.check_id AND ${results}.due_at >= w.hour AND ${results}.due_at < w.hour + interval '1 hour'
       AND ${results}.due_at >= $3 AND ${results}.due_at < $4 AND ${results}.result_type = 'FINAL'`
  const { rows } = await client.query<HourCount>({
    name: 'overview-uptime',
    text: `SELECT (r.runs - r.failed - e.unknown)::int AS passed, r.failed
       FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS w(check_id, hour, nr)
       CROSS JOIN LATERAL (
         SELECT count(*) AS runs, (count(*) FILTER (WHERE has_failures))::int AS failed FROM check_results r
         WHERE ${within('r')}) r
       CROSS JOIN LATERAL (
         SELECT count(*) AS unknown FROM check_results x WHERE ${within('x')} AND x.outcome = 'unknown' AND ${isException('x')}) e
       ORDER BY w.nr`,
    values: [
      hours.map(({ checkId }) => checkId),
      hours.map(({ hour }) => new Date(hour)),
      new Date(Math.min(...hours.map(({ hour }) => hour))),
      new Date(Math.max(...hours.map(({ hour }) => hour)) + 3_600_000),
    ],
  })
  return rows
}
