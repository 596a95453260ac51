import type { PoolClient } from 'pg'
import { queueNotifications } from '../alerting/notifications/queue-notifications.ts'
import type { CommittedResult, RunRef } from '../runs.ts'
import { decide, openDecision, type CheckDecision } from './check-decision.ts'
import { resultRowText, type PlannedResult, type PreparedResult } from './result-row.ts'
import { nextAttempt } from './retry.ts'
import { revisionsOf, type Revisions, type RunSettings } from './revisions.ts'
import {
  insertResults,
  lockStatuses,
  readOlderRevisions,
  readRunStarts,
  readStored,
  writePending,
  writeStatuses,
} from './store.ts'
import { repeatedResult } from './repeated-result.ts'

export interface Rejection {
  id: string
  reason: string
}

export interface BatchOutcome {
  rejected: Rejection[]
  /** Newly stored results, and those stored before whose announcement may have been lost. */
  committed: CommittedResult[]
}

/** Everything one transaction does: store, decide, tell, plan retries. Nothing is visible before it commits. */
export async function storeBatch(
  client: PoolClient,
  batch: readonly PreparedResult[],
  now: number,
): Promise<BatchOutcome> {
  const checks = await openChecks(client, batch)
  const revisions = await readRevisions(client, batch, checks)
  const { storable, rejected } = sortOut(batch, checks, revisions)
  const planned = await plan(client, storable, now)
  const inserted = await insertResults(client, planned.map(rowText))
  const fresh = planned.filter(({ result }) => inserted.has(result.prepared.id)).sort(byTime)
  const committed = fresh.map(({ result, check, settings }) => decide(check, result, settings, now))
  const notifications = await writeOutcome(client, fresh, [...checks.values()], now)
  if (notifications === 0) for (const result of committed) result.notifications = 0
  const repeats = planned.filter(({ result }) => !inserted.has(result.prepared.id))
  return { rejected, committed: [...committed, ...(await announceAgain(client, repeats))] }
}

/** A result with its check and revision, ready to store. */
interface Storable {
  prepared: PreparedResult
  check: CheckDecision
  settings: RunSettings
}
interface Planned {
  result: PlannedResult
  check: CheckDecision
  settings: RunSettings
}

async function openChecks(client: PoolClient, batch: readonly PreparedResult[]): Promise<Map<string, CheckDecision>> {
  const ids = [...new Set(batch.map(({ incoming }) => incoming.claims.checkId))]
  const rows = await lockStatuses(client, ids)
  return new Map(rows.map((row) => [row.check_id, openDecision(row)]))
}

async function readRevisions(
  client: PoolClient,
  batch: readonly PreparedResult[],
  checks: ReadonlyMap<string, CheckDecision>,
): Promise<Revisions> {
  const newest = [...checks.values()].map(({ row }) => ({
    checkId: row.check_id,
    revision: row.revision,
    settings: row.effective,
  }))
  const replaced = batch
    .map(({ incoming }) => incoming.claims)
    .filter(({ checkId, revision }) => revision !== checks.get(checkId)?.row.revision)
  return revisionsOf(newest, await readOlderRevisions(client, replaced))
}

function sortOut(batch: readonly PreparedResult[], checks: Map<string, CheckDecision>, revisions: Revisions) {
  const storable: Storable[] = []
  const rejected: Rejection[] = []
  for (const prepared of batch) {
    const { claims } = prepared.incoming
    const check = checks.get(claims.checkId)
    const settings = revisions.get(claims)
    const reason = refusal(check, settings, claims)
    if (check && settings && reason === undefined) storable.push({ prepared, check, settings })
    else rejected.push({ id: prepared.id, reason: reason ?? 'unknown check' })
  }
  return { storable, rejected }
}

function refusal(
  check: CheckDecision | undefined,
  settings: RunSettings | undefined,
  claims: PreparedResult['incoming']['claims'],
): string | undefined {
  if (claims.source === 'EDITOR') return 'runs of the editor are not stored'
  if (!check || check.row.deleted) return `check ${claims.checkId} does not exist`
  if (!settings) return `check ${claims.checkId} has no revision ${claims.revision}`
  if (check.row.account_id !== claims.accountId) return `check ${claims.checkId} is not of account ${claims.accountId}`
  return undefined
}

async function plan(client: PoolClient, storable: readonly Storable[], now: number): Promise<Planned[]> {
  const retried = storable.filter(({ prepared }) => isFailure(prepared) && prepared.incoming.claims.attempt > 0)
  const starts = await readRunStarts(
    client,
    retried.map(({ prepared }) => prepared.incoming.claims),
  )
  return storable.map((item) => ({
    result: { prepared: item.prepared, retry: retryOf(item, starts, now) },
    check: item.check,
    settings: item.settings,
  }))
}

const isFailure = ({ incoming }: PreparedResult): boolean => incoming.report.verdict.outcome === 'fail'

/** The run failed before, and this attempt to see it again said nothing. */
const isLostRetry = ({ incoming: { claims, report } }: PreparedResult): boolean =>
  claims.attempt > 0 && report.verdict.outcome === 'unknown'

function retryOf({ prepared, check, settings }: Storable, starts: Map<string, number>, now: number) {
  const lost = isLostRetry(prepared)
  if (!(isFailure(prepared) || lost) || !check.row.activated) return undefined
  const ref = refOf(prepared, check.row.type)
  return nextAttempt(
    settings,
    {
      ref,
      networkError: prepared.incoming.report.error?.network ?? false,
      runStartedAt: starts.get(ref.sequenceId) ?? prepared.startedAt ?? prepared.dueAt,
      late: prepared.late,
      lost,
    },
    now,
  )
}

function refOf({ incoming }: PreparedResult, type: RunRef['type']): RunRef {
  const { attemptId, sequenceId, accountId, checkId, revision, dueAt, location, workerClass, attempt, source } =
    incoming.claims
  return {
    attemptId,
    sequenceId,
    accountId,
    checkId,
    revision,
    type,
    dueAt,
    location,
    workerClass,
    attempt,
    source: source as RunRef['source'],
  }
}

const rowText = ({ result }: Planned): string => resultRowText(result.prepared, result.retry ? 'ATTEMPT' : 'FINAL')

const byTime = (a: Planned, b: Planned): number =>
  a.result.prepared.dueAt - b.result.prepared.dueAt ||
  a.result.prepared.incoming.claims.attempt - b.result.prepared.incoming.claims.attempt

async function writeOutcome(
  client: PoolClient,
  fresh: readonly Planned[],
  checks: readonly CheckDecision[],
  now: number,
): Promise<number> {
  await writeStatuses(
    client,
    checks.flatMap((check) => check.write ?? []),
    now,
  )
  const alerts = checks.flatMap((check) => check.alerts)
  const notifications = await queueNotifications(client, alerts)
  const settled = fresh.filter(({ result }) => isOneShot(result.prepared)).map(({ result }) => result.prepared.id)
  await writePending(
    client,
    settled,
    fresh.flatMap(({ result }) => result.retry ?? []),
    now,
  )
  return notifications
}

/** Only retries and runs asked for have a row of their own; ticks follow from the schedule. */
const isOneShot = ({ incoming: { claims } }: PreparedResult): boolean =>
  claims.attempt > 0 || claims.source !== 'SCHEDULER'

async function announceAgain(client: PoolClient, repeats: readonly Planned[]): Promise<CommittedResult[]> {
  if (repeats.length === 0) return []
  const rows = await readStored(
    client,
    repeats.map(({ result }) => result.prepared),
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  return repeats.flatMap(({ result, check }) => {
    const row = stored.get(result.prepared.id)
    return row ? repeatedResult(row, result.prepared.incoming.claims, check.write?.state ?? check.row.state) : []
  })
}
