import {
  isPrivateLocation,
  uuidOfLocation,
  type CheckTypeName,
  type LocationId,
  type RunSource,
  type WorkerClass,
} from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { CheckStatusRow, ChecksRow, PendingRunsRow } from '../db/rows.ts'
import type { PendingRun, RunRef } from '../runs.ts'
import type { EffectiveCheck } from '../settings/resolve-check.ts'
import type { ScheduledCheck } from './schedule-entry.ts'

/** Worker class of a check type's runs; undefined for types that are not scheduled or not built. */
export type WorkerClassOf = (type: string) => WorkerClass | undefined

interface CheckRow extends Pick<ChecksRow, 'id' | 'account_id' | 'revision'> {
  type: CheckTypeName
  effective: Pick<EffectiveCheck, 'frequency' | 'frequencyOffset' | 'locations' | 'runParallel'>
  scheduled_from: Date
  /** null also when the check has no status row. */
  last_check_run_id: CheckStatusRow['last_check_run_id']
  /** Due time of the newest stored result that is due after now; null when none is. */
  used_to: Date | null
}

/** $1 is the time now: only after the clock was set back are there results that were due later. */
const selectChecks = `
  SELECT c.id, c.account_id, c.type, c.revision, c.effective - '{alertSettings,retryStrategy}'::text[] AS effective,
    coalesce(greatest(c.updated_at, c.counted_from), c.created_at) AS scheduled_from, s.last_check_run_id, used.used_to
  FROM checks c LEFT JOIN check_status s ON s.check_id = c.id
    LEFT JOIN LATERAL (SELECT max(r.due_at) AS used_to FROM check_results r WHERE r.check_id = c.id AND r.due_at > $1)
      AS used ON true
  WHERE c.activated AND c.deleted_at IS NULL AND c.not_runnable IS NULL`

/**
 * A page of the checks that run, by id, after `afterId`. Paged so that no query blocks the embedded database for long.
 */
export async function readChecksAfter(
  db: Queryable,
  nowMs: number,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<CheckRow[]> {
  const { rows } = await db.query<CheckRow>(`${selectChecks} AND c.id > $2 ORDER BY c.id LIMIT $3`, [
    new Date(nowMs),
    afterId,
    limit,
  ])
  return rows
}

/** Those of the checks that run now. */
export async function readChecks(db: Queryable, nowMs: number, ids: readonly string[]): Promise<CheckRow[]> {
  const { rows } = await db.query<CheckRow>(`${selectChecks} AND c.id = ANY($2::uuid[])`, [new Date(nowMs), ids])
  return rows
}

/** Undefined for a check that is never scheduled. */
export function toScheduledCheck(row: CheckRow, workerClassOf: WorkerClassOf): ScheduledCheck | undefined {
  const workerClass = workerClassOf(row.type)
  const { frequency, frequencyOffset, locations, runParallel } = row.effective
  if (workerClass === undefined || frequency === null || frequencyOffset === null) return undefined
  return {
    checkId: row.id,
    accountId: row.account_id,
    revision: row.revision,
    type: row.type,
    workerClass,
    frequency,
    frequencyOffset,
    locations,
    runParallel,
    scheduledFrom: row.scheduled_from.getTime(),
    lastDueAt: row.last_check_run_id ?? undefined,
    usedTo: Math.max(row.last_check_run_id ?? -Infinity, row.used_to?.getTime() ?? -Infinity),
  }
}

interface PendingRow extends Omit<PendingRunsRow, 'type' | 'location' | 'worker_class' | 'source'> {
  type: CheckTypeName
  location: LocationId
  worker_class: WorkerClass
  source: RunSource
}

/** One-shots, of these checks or of all. None waits longer than was planned, also when the clock was set back since. */
export async function readPendingRuns(
  db: Queryable,
  nowMs: number,
  checkIds?: readonly string[],
): Promise<PendingRun[]> {
  const { rows } = await db.query<PendingRow>(
    'SELECT * FROM pending_runs WHERE $1::uuid[] IS NULL OR check_id = ANY($1::uuid[]) ORDER BY run_at',
    [checkIds ?? null],
  )
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    sequenceId: row.sequence_id,
    accountId: row.account_id,
    checkId: row.check_id,
    revision: row.revision,
    type: row.type,
    dueAt: row.due_at.getTime(),
    runAt: Math.min(row.run_at.getTime(), nowMs + Math.max(0, row.run_at.getTime() - row.created_at.getTime())),
    location: row.location,
    workerClass: row.worker_class,
    attempt: row.attempt,
    source: row.source,
  }))
}

export async function insertPendingRuns(db: Queryable, runs: readonly PendingRun[], nowMs: number): Promise<void> {
  await db.query(
    `INSERT INTO pending_runs SELECT * FROM json_populate_recordset(NULL::pending_runs, $1::json)
     ON CONFLICT (attempt_id) DO NOTHING`,
    [pendingRowsText(runs, nowMs)],
  )
}

/** Stores ticks in flight, without those of checks that are gone. */
export async function insertTicks(db: Queryable, ticks: readonly RunRef[], nowMs: number): Promise<void> {
  const runs = ticks.map((ref) => ({ ...ref, runAt: ref.dueAt }))
  await db.query(
    `INSERT INTO pending_runs SELECT r.* FROM json_populate_recordset(NULL::pending_runs, $1::json) AS r
     WHERE EXISTS (SELECT 1 FROM checks c WHERE c.account_id = r.account_id AND c.id = r.check_id)
     ON CONFLICT (attempt_id) DO NOTHING`,
    [pendingRowsText(runs, nowMs)],
  )
}

/** Deletes ticks that have their result: the process that stored them ended before it deleted them. */
export async function deleteEndedTicks(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM pending_runs p WHERE p.attempt = 0 AND p.source = 'SCHEDULER'
     AND EXISTS (SELECT 1 FROM check_results r WHERE r.due_at = p.due_at AND r.id = p.attempt_id)`,
  )
}

function pendingRowsText(runs: readonly PendingRun[], nowMs: number): string {
  const rows = runs.map((run) => ({
    attempt_id: run.attemptId,
    sequence_id: run.sequenceId,
    account_id: run.accountId,
    check_id: run.checkId,
    revision: run.revision,
    type: run.type,
    location: run.location,
    worker_class: run.workerClass,
    attempt: run.attempt,
    due_at: new Date(run.dueAt),
    run_at: new Date(run.runAt),
    source: run.source,
    created_at: new Date(nowMs),
  }))
  return JSON.stringify(rows)
}

export async function deletePendingRuns(db: Queryable, attemptIds: readonly string[]): Promise<void> {
  await db.query('DELETE FROM pending_runs WHERE attempt_id = ANY($1::uuid[])', [attemptIds])
}

/** A run at one location whose result will not come. */
export type RunTakenBack = Pick<RunRef, 'checkId' | 'dueAt' | 'sequenceId'>

/** The one-shots of a check; no result is stored any more of one that is deleted. */
export async function readPendingRunsOfCheck(
  db: Queryable,
  checkId: string,
): Promise<(RunTakenBack & { attemptId: string; isDeleted: boolean })[]> {
  const { rows } = await db.query<{ attempt_id: string; sequence_id: string; due_at: Date; deleted: boolean }>(
    `SELECT p.attempt_id, p.sequence_id, p.due_at, c.deleted_at IS NOT NULL AS deleted
     FROM pending_runs p JOIN checks c ON c.id = p.check_id WHERE p.check_id = $1`,
    [checkId],
  )
  return rows.map((row) => ({
    checkId,
    attemptId: row.attempt_id,
    sequenceId: row.sequence_id,
    dueAt: row.due_at.getTime(),
    isDeleted: row.deleted,
  }))
}

/**
 * Locks checks against other requests for runs, in the order of ids, and answers the times from `fromMs` on that runs of
 * each have taken. A cancelled run has a session, and perhaps nothing else.
 */
export async function lockTakenTimes(
  client: Queryable,
  checkIds: readonly string[],
  fromMs: number,
): Promise<Map<string, Set<number>>> {
  await client.query('SELECT 1 FROM checks WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [checkIds])
  const { rows } = await client.query<{ check_id: string; due_at: Date }>(
    `SELECT check_id, due_at FROM pending_runs WHERE check_id = ANY($1::uuid[]) AND due_at >= $2
     UNION SELECT check_id, due_at FROM check_results WHERE check_id = ANY($1::uuid[]) AND due_at >= $2
     UNION SELECT check_id, due_at FROM check_sessions WHERE check_id = ANY($1::uuid[]) AND due_at >= $2`,
    [checkIds, new Date(fromMs)],
  )
  const taken = new Map(checkIds.map((id) => [id, new Set<number>()]))
  for (const row of rows) taken.get(row.check_id)?.add(row.due_at.getTime())
  return taken
}

/** Runs, one for each location, that were cancelled in these sessions: their sequence ids. */
export async function readCancelledRuns(db: Queryable, sessionIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT unnest(cancelled_sequences) AS id FROM check_sessions WHERE id = ANY($1::uuid[])',
    [sessionIds],
  )
  return rows.map(({ id }) => id)
}

export interface Gap {
  from: number
  to: number
  reason: string
}

/**
 * Stores a time in which nothing was scheduled, for the whole installation. Both ends belong to the gap. What a stored gap
 * holds already is left out: the answer to a commit may be lost, and a clock that was set shows the same time twice.
 */
export async function insertGap(db: Queryable, gap: Gap): Promise<void> {
  await db.query(
    `INSERT INTO coverage_gaps (scope, from_at, to_at, reason)
     SELECT 'installation', lower(part), upper(part) - interval '1 millisecond', $3
     FROM unnest(
       tstzmultirange(tstzrange($1, $2::timestamptz + interval '1 millisecond')) - (
         SELECT coalesce(range_agg(tstzrange(from_at, to_at + interval '1 millisecond')), '{}')
         FROM coverage_gaps WHERE scope = 'installation' AND to_at >= $1 AND from_at <= $2)) AS part`,
    [new Date(gap.from), new Date(gap.to), gap.reason],
  )
}

/**
 * The end of a gap that contains this time; undefined when there is none. A gap that ends later than `lastMs` is of before
 * the clock was set back: it says nothing of the time since.
 */
export async function readGapEnd(db: Queryable, atMs: number, lastMs: number): Promise<number | undefined> {
  const { rows } = await db.query<{ to_at: Date | null }>(
    `SELECT max(to_at) AS to_at FROM coverage_gaps
     WHERE scope = 'installation' AND from_at <= $1 AND to_at >= $1 AND to_at <= $2`,
    [new Date(atMs), new Date(lastMs)],
  )
  return rows[0]?.to_at?.getTime()
}

/**
 * Stores a time in which nothing was scheduled at one location: for the account of a private location, for all accounts
 * at a shared one. Returns the row, which grows while the outage lasts; it is found again when the answer to a commit was
 * lost.
 */
export async function insertLocationGap(db: Queryable, gap: Gap & { location: LocationId }): Promise<number> {
  const uuid = isPrivateLocation(gap.location) ? uuidOfLocation(gap.location) : null
  const { rows } = await db.query<{ id: number | string }>(
    `WITH known AS (
       UPDATE coverage_gaps SET to_at = $3 WHERE scope = 'location' AND location = $1 AND from_at = $2 RETURNING id
     ), made AS (
       INSERT INTO coverage_gaps (scope, account_id, location, from_at, to_at, reason)
       SELECT 'location', (SELECT account_id FROM private_locations WHERE id = $5::uuid), $1, $2, $3, $4
       WHERE NOT EXISTS (SELECT FROM known) RETURNING id
     )
     SELECT id FROM known UNION ALL SELECT id FROM made LIMIT 1`,
    [gap.location, new Date(gap.from), new Date(gap.to), gap.reason, uuid],
  )
  return Number(rows[0]?.id)
}

export async function extendGap(db: Queryable, id: number, toMs: number): Promise<void> {
  await db.query('UPDATE coverage_gaps SET to_at = $2 WHERE id = $1', [id, new Date(toMs)])
}

/**
 * Locks the status rows in id order, as ingest does, before it counts. Returns the checks whose rows somebody holds: they
 * are not counted, and keep nothing else waiting.
 */
export async function addOverlaps(db: Queryable, counts: ReadonlyMap<string, number>): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `WITH counted AS (SELECT * FROM json_to_recordset($1::json) AS c(id uuid, n int)),
       locked AS (
         SELECT s.check_id FROM check_status s WHERE s.check_id IN (SELECT id FROM counted)
         ORDER BY s.check_id FOR NO KEY UPDATE SKIP LOCKED),
       added AS (
         UPDATE check_status s SET overlap_count = s.overlap_count + counted.n
         FROM counted JOIN locked ON locked.check_id = counted.id WHERE s.check_id = counted.id)
     SELECT s.check_id AS id FROM check_status s
     WHERE s.check_id IN (SELECT id FROM counted) AND s.check_id NOT IN (SELECT check_id FROM locked)`,
    [JSON.stringify([...counts].map(([id, n]) => ({ id, n })))],
  )
  return rows.map(({ id }) => id)
}

export async function readWatermark(db: Queryable, role: string): Promise<number | undefined> {
  const { rows } = await db.query<{ watermark: Date | null }>('SELECT watermark FROM leadership WHERE role = $1', [
    role,
  ])
  return rows[0]?.watermark?.getTime()
}

export async function writeWatermark(db: Queryable, role: string, watermarkMs: number): Promise<void> {
  await db.query('UPDATE leadership SET watermark = $2 WHERE role = $1', [role, new Date(watermarkMs)])
}
