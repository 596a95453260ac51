import type { Queryable } from '../../db/database.ts'
import type { HealthReportsRow } from '../../db/rows.ts'
import type { HealthReport } from './health-report.ts'

/** Only in a transaction of the leader. */
export async function writeReport(client: Queryable, host: string, report: HealthReport): Promise<void> {
  await client.query(
    `INSERT INTO health_reports (role, epoch, host, report, at)
     SELECT role, epoch, $1, $2, clock_timestamp() FROM leadership
     ON CONFLICT (role) DO UPDATE SET epoch = excluded.epoch, host = excluded.host, report = excluded.report,
       at = excluded.at`,
    [host, JSON.stringify(report)],
  )
}

export interface StoredReport extends Pick<HealthReportsRow, 'host'> {
  report: unknown
  /** Milliseconds by the clock of the database, which may have been set since. */
  age_ms: number
}

/** The report of the server that leads now; undefined when it has written none. */
export async function readReport(db: Queryable): Promise<StoredReport | undefined> {
  const { rows } = await db.query<StoredReport>(
    `SELECT h.host, h.report, (extract(epoch FROM clock_timestamp() - h.at) * 1000)::float8 AS age_ms
     FROM health_reports h JOIN leadership l ON l.role = h.role AND l.epoch = h.epoch`,
  )
  return rows[0]
}
