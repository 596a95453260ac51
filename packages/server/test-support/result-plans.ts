import type { Database } from '../src/db/database.ts'
import type { GivenCheck } from './checks.ts'
import type { SentStatement } from './recorded-statements.ts'

/** Passed results every 20 seconds before `until`, each hundredth degraded, in vacuumed tables. */
export async function givenManyResults(
  db: Database,
  checks: readonly GivenCheck[],
  { until, number }: { until: number; number: number },
): Promise<void> {
  await db.transaction(async (client) => {
    // What is not yet on the disk counts as not visible to all when the tables are vacuumed.
    await client.query('SET LOCAL synchronous_commit = on')
    await client.query(
      `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome, has_failures,
       has_errors, is_degraded, over_max, attempts, check_run_id, sequence_id, response_ms, received_at, late, emulated,
       clock_offset_ms, timing_uncertainty_ms, source, body)
     SELECT due, gen_random_uuid(), account_id, check_id, 1, 'eu-west-1', 'FINAL', 'pass', false, false, nr % 100 = 0, false, 0,
       1, gen_random_uuid(), nr % 500, due, false, false, 0, 0, 'SCHEDULER', jsonb_build_object('text', repeat('x', 500))
     FROM unnest($1::uuid[], $2::uuid[]) AS c(check_id, account_id), generate_series(1, $3) nr,
       LATERAL (SELECT $4::timestamptz - nr * interval '20 s' AS due) d`,
      [checks.map(({ id }) => id), checks.map(({ accountId }) => accountId), number, new Date(until)],
    )
  })
  await vacuumResults(
    db,
    checks.map(({ id }) => id),
  )
}

const mostTries = 40
const betweenTriesMs = 250

/** Until every page is visible to all: a transaction that is still open, as of autovacuum, keeps some from it. */
async function vacuumResults(db: Database, checkIds: readonly string[]): Promise<void> {
  const tables = await db.pool.query<{ name: string }>(
    `SELECT DISTINCT tableoid::regclass::text AS name FROM check_results WHERE check_id = ANY($1)`,
    [checkIds],
  )
  let names = tables.rows.map(({ name }) => name)
  for (let tries = 0; tries < mostTries && names.length > 0; tries++) {
    // Without its indexes cleaned, a page on which another test removed a row does not count as visible to all.
    for (const name of names) await db.pool.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON) ${name}`)
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE oid = ANY($1::regclass[]) AND relallvisible < relpages`,
      [names],
    )
    names = rows.map(({ name }) => name)
    if (names.length > 0) await flushed(db)
  }
  if (names.length > 0) throw new Error('The tables of results could not be vacuumed: a transaction stays open.')
}

/**
 * Commits are not flushed one by one here, and a row counts as visible to all only when those beside it in the log of
 * commits are on the disk. A server beside which autovacuum runs also needs a moment.
 */
async function flushed(db: Database): Promise<void> {
  await db.transaction(async (client) => {
    await client.query('SET LOCAL synchronous_commit = on')
    await client.query('SELECT pg_current_xact_id()')
  })
  await new Promise((resolve) => setTimeout(resolve, betweenTriesMs))
}

/** Statements that read results. */
export const onResults = (statements: readonly SentStatement[]): SentStatement[] =>
  statements.filter(({ text }) => text.includes('check_results'))

/** Lines of the plan that read rows of results: other than an index-only scan, or one that has to look at its rows. */
export async function rowReads(db: Database, { text, values }: SentStatement): Promise<string[]> {
  const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) ${text}`, values)
  const plan = rows.map((row) => row['QUERY PLAN'])
  if (!plan.some((line) => line.includes('on check_results'))) throw new Error('The statement reads no results.')
  const isScan = (line: string) => line.includes('on check_results') && !line.includes('never executed')
  return plan.filter((line) => (isScan(line) && !line.includes('Index Only Scan')) || /Heap Fetches: [1-9]/.test(line))
}
