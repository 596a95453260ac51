import { isoTime } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { EffectiveCheck } from '../settings/resolve-check.ts'

export interface RevisionKey {
  checkId: string
  revision: number
}

/** The settings of a run from its first to its last attempt: those of its revision, even if the check changes. */
export type RunSettings = Pick<EffectiveCheck, 'retryStrategy' | 'locations' | 'runParallel'>

export interface OlderRevision extends RevisionKey {
  settings: RunSettings
  /** When the next revision was stored. */
  replaced_at: Date
}

/** The last settings of revisions that were replaced. */
export async function readOlderRevisions(db: Queryable, keys: readonly RevisionKey[]): Promise<OlderRevision[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<OlderRevision>({
    name: 'ingest-revisions',
    text: `SELECT r.check_id AS "checkId", r.revision, r.effective AS settings, n.created_at AS replaced_at
      FROM json_to_recordset($1::json) AS k("checkId" uuid, revision int)
      JOIN check_revisions r ON r.check_id = k."checkId" AND r.revision = k.revision AND r.effective IS NOT NULL
      JOIN check_revisions n ON n.check_id = r.check_id AND n.revision = r.revision + 1`,
    values: [JSON.stringify(keys.map(({ checkId, revision }) => ({ checkId, revision })))],
  })
  return rows
}

export interface RunKey {
  dueAt: number
  checkId: string
  sequenceId: string
}

/** What is stored of a run. */
export interface StoredRun {
  /** When its first attempt started, epoch milliseconds. */
  startedAt: number | undefined
  /** The number of the attempt with which it ended; Infinity when it has not. */
  endedBy: number
}

/** Runs by sequence id. A run is not over with the record that it was lost: the result of an agent replaces that. */
export async function readRuns(client: Queryable, runs: readonly RunKey[]): Promise<Map<string, StoredRun>> {
  if (runs.length === 0) return new Map()
  const keys = runs.map(({ dueAt, checkId, sequenceId }) => ({
    due_at: isoTime(dueAt),
    check_id: checkId,
    sequence_id: sequenceId,
  }))
  const { rows } = await client.query<{ sequence_id: string; started_at: Date | null; ended_by: number | null }>({
    name: 'ingest-runs',
    text: `SELECT k.sequence_id, min(r.started_at) AS started_at, min(r.attempts) FILTER
        (WHERE r.result_type = 'FINAL' AND (r.outcome <> 'unknown' OR r.started_at IS NOT NULL)) AS ended_by
      FROM json_to_recordset($1::json) AS k(due_at timestamptz, check_id uuid, sequence_id uuid)
      JOIN check_results r ON r.check_id = k.check_id AND r.due_at = k.due_at AND r.sequence_id = k.sequence_id
      GROUP BY k.sequence_id`,
    values: [JSON.stringify(keys)],
  })
  return new Map(
    rows.map((row) => [row.sequence_id, { startedAt: row.started_at?.getTime(), endedBy: row.ended_by ?? Infinity }]),
  )
}
