import { isoTime, staleAfterMs, type CheckTypeName, type Outcome, type ResultType } from '@vedette/wire'
import { openEpisodeColumns, openEpisodeOf, type OpenEpisodeColumns } from '../alerting/episodes/episode-store.ts'
import type { AlertState } from '../alerting/state/alert-state.ts'
import type { Queryable } from '../db/database.ts'
import type { CheckResultsRow, CheckStatusRow, ChecksRow } from '../db/rows.ts'
import { groupNameOf } from '../db/subscribed-channels-store.ts'
import type { PendingRun } from '../runs.ts'
import type { StoredEffective } from '../settings/store.ts'

/**
 * Prepared SQL: this is the most frequent work of the server. Times are passed as ISO text, rows as one JSON parameter.
 */

/** What follows may be undone by `undoTo`. */
export async function markUndo(client: Queryable): Promise<void> {
  await client.query('SAVEPOINT one_result')
}

export async function undoTo(client: Queryable): Promise<void> {
  await client.query('ROLLBACK TO SAVEPOINT one_result')
}

/** A locked status row, with the data needed to decide alerts of its check. */
export interface StatusRow
  extends
    Pick<
      CheckStatusRow,
      | 'check_id'
      | 'state'
      | 'cause'
      | 'alert_state'
      | 'state_since'
      | 'last_pass_at'
      | 'has_failures'
      | 'has_errors'
      | 'is_degraded'
      | 'failing_locations'
    >,
    Pick<ChecksRow, 'account_id' | 'revision' | 'name' | 'tags' | 'activated' | 'not_runnable'>,
    OpenEpisodeColumns {
  type: CheckTypeName
  description: string | null
  group_name: string | null
  effective: StoredEffective
  deleted: boolean
  has_parents: boolean
}

/** Locks in id order, so that two writers cannot deadlock. */
export async function lockStatuses(client: Queryable, checkIds: readonly string[]): Promise<StatusRow[]> {
  const { rows } = await client.query<StatusRow>({
    name: 'ingest-lock',
    text: `SELECT s.check_id, s.state, s.cause, s.alert_state, s.state_since, s.last_pass_at,
        s.has_failures, s.has_errors, s.is_degraded, s.failing_locations, c.account_id, c.type, c.revision, c.name,
        c.definition->>'description' AS description, ${groupNameOf} AS group_name, c.tags, c.activated, c.not_runnable, c.effective, c.deleted_at IS NOT NULL AS deleted,
        EXISTS (SELECT 1 FROM check_parents p WHERE p.check_id = c.id) AS has_parents, ${openEpisodeColumns}
      FROM check_status s JOIN checks c ON c.id = s.check_id LEFT JOIN ${openEpisodeOf('s.check_id')}
      WHERE s.check_id = ANY($1::uuid[]) ORDER BY s.check_id FOR UPDATE OF s`,
    values: [checkIds],
  })
  return rows
}

/**
 * Holds checks as they are until the end of the transaction, in the order of ids, in which changes of checks hold them too.
 * What is written of a check besides its status and its results comes after it: who changes the check writes that as well.
 */
export async function holdChecks(client: Queryable, checkIds: readonly string[]): Promise<void> {
  if (checkIds.length === 0) return
  await client.query({
    name: 'ingest-hold',
    text: 'SELECT 1 FROM checks WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE',
    values: [checkIds],
  })
}

/**
 * Stores results; `rowTexts` are JSON objects named as the columns. Returns the ids that were not stored before. A
 * result of an agent replaces the stored record that its run was lost, because an acknowledged result is never dropped.
 */
export async function insertResults(client: Queryable, rowTexts: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'ingest-insert',
    text: `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome,
        has_failures, has_errors, is_degraded, over_max, is_cancelled, attempts, check_run_id, sequence_id, response_ms, started_at,
        stopped_at, received_at, late, emulated, clock_offset_ms, timing_uncertainty_ms, source, cause, body)
      SELECT * FROM json_to_recordset($1::json) AS r(due_at timestamptz, id uuid, account_id uuid, check_id uuid,
        revision int, location text, result_type text, outcome text, has_failures boolean, has_errors boolean,
        is_degraded boolean, over_max boolean, is_cancelled boolean, attempts int, check_run_id bigint, sequence_id uuid, response_ms real,
        started_at timestamptz, stopped_at timestamptz, received_at timestamptz, late boolean, emulated boolean,
        clock_offset_ms real, timing_uncertainty_ms real, source text, cause text, body jsonb)
      ON CONFLICT (due_at, id) DO UPDATE SET location = EXCLUDED.location, result_type = EXCLUDED.result_type,
        outcome = EXCLUDED.outcome, has_failures = EXCLUDED.has_failures, has_errors = EXCLUDED.has_errors,
        is_degraded = EXCLUDED.is_degraded, over_max = EXCLUDED.over_max, response_ms = EXCLUDED.response_ms,
        started_at = EXCLUDED.started_at, stopped_at = EXCLUDED.stopped_at, received_at = EXCLUDED.received_at,
        late = EXCLUDED.late, emulated = EXCLUDED.emulated, clock_offset_ms = EXCLUDED.clock_offset_ms,
        timing_uncertainty_ms = EXCLUDED.timing_uncertainty_ms, cause = EXCLUDED.cause, body = EXCLUDED.body
      WHERE check_results.outcome = 'unknown' AND check_results.started_at IS NULL
        AND check_results.result_type = 'FINAL' AND EXCLUDED.outcome <> 'unknown'
      RETURNING id`,
    values: [`[${rowTexts.join(',')}]`],
  })
  return new Set(rows.map((row) => row.id))
}

/** Changes of one status row. null in a `last…` or `…Run` field leaves the column as it is; `lastMs` belongs to `lastResultId`. */
export interface StatusWrite {
  checkId: string
  state: string
  stateSince: number | null
  cause: string | null
  hasFailures: boolean
  hasErrors: boolean
  isDegraded: boolean
  failingLocations: string[]
  longestRun: number | null
  shortestRun: number | null
  lastRunLocation: string | null
  lastDueAt: number | null
  lastResultId: string | null
  lastMs: number | null
  lastRunAt: number | null
  lastPassAt: number | null
  sslNotAfter: number | null
  /** False: the result has no information on the certificate. */
  sslKnown: boolean
  alertState: AlertState
}

export async function writeStatuses(client: Queryable, writes: readonly StatusWrite[], now: number): Promise<void> {
  if (writes.length === 0) return
  await client.query({
    name: 'ingest-status',
    text: `UPDATE check_status s SET state = r.state, state_since = r.state_since, cause = r.cause,
        has_failures = r.has_failures, has_errors = r.has_errors, is_degraded = r.is_degraded,
        failing_locations = ARRAY(SELECT jsonb_array_elements_text(r.failing_locations)),
        longest_run = GREATEST(s.longest_run, r.longest_run), shortest_run = LEAST(s.shortest_run, r.shortest_run),
        last_run_location = COALESCE(r.last_run_location, s.last_run_location),
        last_check_run_id = COALESCE(r.last_check_run_id, s.last_check_run_id),
        last_result_id = COALESCE(r.last_result_id, s.last_result_id),
        last_response_ms = CASE WHEN r.last_result_id IS NULL THEN s.last_response_ms ELSE r.last_response_ms END,
        last_run_at = COALESCE(r.last_run_at, s.last_run_at), last_pass_at = GREATEST(s.last_pass_at, r.last_pass_at),
        ssl_not_after = CASE WHEN r.ssl_known THEN r.ssl_not_after ELSE s.ssl_not_after END,
        alert_state = r.alert_state, held_by = r.held_by, updated_at = $2,
        unwatched_at = CASE
          WHEN r.unwatched_ms IS NULL THEN NULL
          WHEN s.unwatched_at IS NOT NULL AND s.alert_state #> '{unwatched,since}' = r.alert_state #> '{unwatched,since}'
            THEN s.unwatched_at
          ELSE clock_timestamp() - r.unwatched_ms * interval '1 millisecond' END
      FROM json_to_recordset($1::json) AS r(check_id uuid, state text, state_since timestamptz, cause text,
        has_failures boolean, has_errors boolean, is_degraded boolean, failing_locations jsonb, longest_run real,
        shortest_run real, last_run_location text, last_check_run_id bigint, last_result_id uuid,
        last_response_ms real, last_run_at timestamptz, last_pass_at timestamptz, ssl_known boolean, ssl_not_after timestamptz, alert_state jsonb,
        held_by uuid, unwatched_ms float8)
      WHERE s.check_id = r.check_id`,
    values: [JSON.stringify(writes.map((write) => statusRecord(write, now))), isoTime(now)],
  })
}

const statusRecord = (write: StatusWrite, now: number) => ({
  check_id: write.checkId,
  state: write.state,
  state_since: isoTime(write.stateSince),
  cause: write.cause,
  has_failures: write.hasFailures,
  has_errors: write.hasErrors,
  is_degraded: write.isDegraded,
  failing_locations: write.failingLocations,
  longest_run: write.longestRun,
  shortest_run: write.shortestRun,
  last_run_location: write.lastRunLocation,
  last_check_run_id: write.lastDueAt,
  last_result_id: write.lastResultId,
  last_response_ms: write.lastMs,
  last_run_at: isoTime(write.lastRunAt),
  last_pass_at: isoTime(write.lastPassAt),
  ssl_known: write.sslKnown,
  ssl_not_after: isoTime(write.sslNotAfter),
  alert_state: write.alertState,
  held_by: heldBy(write.alertState),
  unwatched_ms: unwatchedMs(write.alertState, now),
})

/** The parent for which an alert that is due is held back. */
const heldBy = ({ held, unwatched }: AlertState): string | null => held?.parentId ?? unwatched?.heldBy ?? null

/** How long nothing is known; a run waits for no longer than it may before that is stored. */
const unwatchedMs = ({ unwatched }: AlertState, now: number): number | null =>
  unwatched && Math.min(staleAfterMs, Math.max(0, now - unwatched.since))

/** Deletes the one-shots that were settled and stores the retries that follow. */
export async function writePending(
  client: Queryable,
  settled: readonly string[],
  retries: readonly PendingRun[],
  now: number,
): Promise<void> {
  if (settled.length === 0 && retries.length === 0) return
  await client.query({
    name: 'ingest-pending',
    text: `WITH settled AS (DELETE FROM pending_runs WHERE attempt_id = ANY($1::uuid[]))
      INSERT INTO pending_runs (attempt_id, account_id, check_id, revision, type, due_at, run_at, location, worker_class,
        attempt, sequence_id, source, created_at)
      SELECT r.*, $3 FROM json_to_recordset($2::json) AS r(attempt_id uuid, account_id uuid, check_id uuid,
        revision int, type text, due_at timestamptz, run_at timestamptz, location text, worker_class text, attempt int,
        sequence_id uuid, source text)
      ON CONFLICT DO NOTHING`,
    values: [settled, JSON.stringify(retries.map(pendingRecord)), isoTime(now)],
  })
}

const pendingRecord = (run: PendingRun) => ({
  attempt_id: run.attemptId,
  account_id: run.accountId,
  check_id: run.checkId,
  revision: run.revision,
  type: run.type,
  due_at: isoTime(run.dueAt),
  run_at: isoTime(run.runAt),
  location: run.location,
  worker_class: run.workerClass,
  attempt: run.attempt,
  sequence_id: run.sequenceId,
  source: run.source,
})

/** A result that was committed before, with its pending retry. */
export interface StoredResultRow extends Pick<CheckResultsRow, 'id' | 'is_degraded' | 'response_ms' | 'cause'> {
  result_type: ResultType
  outcome: Outcome
  retry: Record<string, unknown> | null
}

export async function readStored(
  client: Queryable,
  ids: readonly { id: string; dueAt: number }[],
): Promise<StoredResultRow[]> {
  const { rows } = await client.query<StoredResultRow>({
    name: 'ingest-stored',
    text: `SELECT r.id, r.result_type, r.outcome, r.is_degraded, r.response_ms, r.cause, to_jsonb(p) AS retry
      FROM json_to_recordset($1::json) AS k(id uuid, due_at timestamptz)
      JOIN check_results r ON r.due_at = k.due_at AND r.id = k.id
      LEFT JOIN pending_runs p ON p.check_id = r.check_id AND p.sequence_id = r.sequence_id AND p.attempt = r.attempts + 1`,
    values: [JSON.stringify(ids.map(({ id, dueAt }) => ({ id, due_at: isoTime(dueAt) })))],
  })
  return rows
}
