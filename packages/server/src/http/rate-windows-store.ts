import type { Queryable } from '../db/database.ts'

/** Requests of a caller that were not counted yet. */
export interface UncountedRequests {
  key: string
  requests: number
  windowMs: number
}

export interface RateWindow {
  key: string
  /** Of all servers. */
  requests: number
  leftMs: number
}

/**
 * Adds requests to the windows of their callers, and begins those that have ended. A window that ends later than a new
 * one is from before the clock of the database was set back; servers begin windows up to some seconds apart.
 */
export async function countRequests(client: Queryable, uncounted: readonly UncountedRequests[]): Promise<RateWindow[]> {
  const isOver = `(w.ends_at <= statement_timestamp() OR w.ends_at > EXCLUDED.ends_at + interval '15 s')`
  const { rows } = await client.query<RateWindow>(
    `INSERT INTO rate_windows AS w (key, requests, ends_at)
     SELECT key, requests, statement_timestamp() + window_ms * interval '1 ms'
     FROM unnest($1::text[], $2::int[], $3::int[]) AS n(key, requests, window_ms) ORDER BY key
     ON CONFLICT (key) DO UPDATE SET
       requests = CASE WHEN ${isOver} THEN 0 ELSE w.requests END + EXCLUDED.requests,
       ends_at = CASE WHEN ${isOver} THEN EXCLUDED.ends_at ELSE w.ends_at END
     RETURNING key, requests,
       greatest(0, extract(epoch FROM ends_at - statement_timestamp()) * 1000)::float8 AS "leftMs"`,
    [uncounted.map(({ key }) => key), uncounted.map((one) => one.requests), uncounted.map((one) => one.windowMs)],
  )
  return rows
}

export async function deleteEndedWindows(client: Queryable): Promise<void> {
  await client.query(`DELETE FROM rate_windows WHERE ends_at < statement_timestamp() - interval '1 minute'`)
}
