import type { ResultIdentity } from '@vedette/wire'
import type { PoolClient } from 'pg'
import { writeEpisodes, type ChangedEpisodes } from '../alerting/episodes/episode-store.ts'
import { queueMissing } from '../alerting/notifications/queue-missing.ts'
import { queueNotifications } from '../alerting/notifications/queue-notifications.ts'
import { requestedSources, storedSources, type CommittedResult } from '../runs.ts'
import { sessionsOfBatch } from '../sessions/index.ts'
import { decide, openDecision, type CheckDecision } from './check-decision.ts'
import { cancelledResult, resultRowText, type PreparedResult } from './result-row.ts'
import { parentsOfBatch } from './parents-of-batch.ts'
import { revisionsOf, type KnownRevision, type Revisions } from './revisions.ts'
import { holdChecks, insertResults, lockStatuses, readStored, writePending, writeStatuses } from './store.ts'
import { planResults, type Planned, type Rejection, type Storable } from './planned-results.ts'
import { readOlderRevisions } from './run-store.ts'
import { committedStatus, shownSoFar } from './committed-result.ts'
import { repeatedResult } from './repeated-result.ts'

export interface BatchOutcome {
  rejected: Rejection[]
  /** Newly stored results, and those stored before whose announcement may have been lost. */
  committed: CommittedResult[]
}

/** One transaction: stores results, decides alerts, queues notifications, plans retries. */
export async function storeBatch(
  client: PoolClient,
  batch: readonly PreparedResult[],
  now: number,
): Promise<BatchOutcome> {
  const checks = await openChecks(client, batch, now)
  const revisions = await readRevisions(client, batch, checks)
  const sessions = await sessionsOfBatch(client, batch.map(identityOf))
  const { storable, rejected } = sortOut(
    batch.map((prepared) => (sessions.isCancelled(identityOf(prepared)) ? cancelledResult(prepared) : prepared)),
    checks,
    revisions,
  )
  const { planned, ended } = await planResults(client, storable, now)
  const inserted = await insertResults(client, planned.map(rowText))
  const fresh = planned.filter(({ result }) => inserted.has(result.prepared.id)).sort(byTime)
  const parents = await parentsOfBatch(client, fresh, checks, now)
  const committed = parents.inOrder(fresh).map(({ result, check }) => {
    check.policy.heldBy = parents.holderOf(check.row.check_id)
    return decide(check, result, now)
  })
  const notifications = await writeOutcome(client, fresh, [...checks.values()], now)
  await sessions.settle(
    fresh.map(({ result }) => identityOf(result.prepared)),
    now,
  )
  if (notifications === 0) for (const result of committed) result.notifications = 0
  const missing = await queueMissing(
    client,
    [...checks.values()].flatMap((check) => check.lasting ?? []),
  )
  announceMissing(committed, missing)
  const repeats = planned.filter(({ result }) => !inserted.has(result.prepared.id))
  return {
    rejected: [...rejected, ...ended],
    committed: [...committed, ...(await announceAgain(client, repeats, now))],
  }
}

const identityOf = ({ incoming }: PreparedResult): ResultIdentity => incoming.identity

/** Notifications of a trouble that lasts count for the newest result of its check. */
function announceMissing(committed: readonly CommittedResult[], missing: ReadonlyMap<string, number>): void {
  for (const [checkId, count] of missing) {
    const newest = committed.findLast((result) => result.checkId === checkId)
    if (newest) newest.notifications += count
  }
}

async function openChecks(
  client: PoolClient,
  batch: readonly PreparedResult[],
  now: number,
): Promise<Map<string, CheckDecision>> {
  const ids = [...new Set(batch.map(({ incoming }) => incoming.identity.checkId))]
  const rows = await lockStatuses(client, ids)
  return new Map(rows.map((row) => [row.check_id, openDecision(row, now)]))
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
    .map(({ incoming }) => incoming.identity)
    .filter(({ checkId, revision }) => revision !== checks.get(checkId)?.row.revision)
  return revisionsOf(newest, await readOlderRevisions(client, replaced))
}

function sortOut(batch: readonly PreparedResult[], checks: Map<string, CheckDecision>, revisions: Revisions) {
  const storable: Storable[] = []
  const rejected: Rejection[] = []
  for (const prepared of batch) {
    const { identity } = prepared.incoming
    const check = checks.get(identity.checkId)
    const revision = revisions.get(identity)
    const reason = refusal(check, revision, identity)
    if (check && revision && reason === undefined) storable.push({ prepared, check, revision })
    else rejected.push({ id: prepared.id, reason: reason ?? 'unknown check' })
  }
  return { storable, rejected }
}

function refusal(
  check: CheckDecision | undefined,
  revision: KnownRevision | undefined,
  identity: ResultIdentity,
): string | undefined {
  if (!storedSources.has(identity.source)) return 'runs of the editor are not stored'
  if (!check || check.row.deleted) return `check ${identity.checkId} does not exist`
  if (!revision) return `check ${identity.checkId} has no revision ${identity.revision}`
  if (check.row.account_id !== identity.accountId)
    return `check ${identity.checkId} is not of account ${identity.accountId}`
  return undefined
}

const rowText = ({ result }: Planned): string => resultRowText(result)

const byTime = (a: Planned, b: Planned): number =>
  a.result.prepared.dueAt - b.result.prepared.dueAt ||
  a.result.prepared.incoming.identity.attempt - b.result.prepared.incoming.identity.attempt

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
  const settled = fresh.map(({ result }) => result.prepared).filter(isOneShot)
  const retries = fresh.flatMap(({ result }) => result.retry ?? [])
  const troubles = checks.filter(({ episodes }) => episodes.begun.length + episodes.ended.length > 0)
  await holdChecks(client, [
    ...settled.map(({ incoming }) => incoming.identity.checkId),
    ...retries.map(({ checkId }) => checkId),
    ...troubles.map(({ row }) => row.check_id),
  ])
  await writePending(
    client,
    settled.map(({ id }) => id),
    retries,
    now,
  )
  await writeEpisodes(client, checks.map(changedEpisodes))
  return notifications
}

const changedEpisodes = ({ row, episodes }: CheckDecision): ChangedEpisodes => ({
  accountId: row.account_id,
  checkId: row.check_id,
  ...episodes,
})

/** Only retries and requested runs have a row of their own; ticks follow from the schedule, passive results from events. */
const isOneShot = ({ incoming: { identity } }: PreparedResult): boolean =>
  identity.attempt > 0 || requestedSources.has(identity.source)

async function announceAgain(client: PoolClient, repeats: readonly Planned[], now: number): Promise<CommittedResult[]> {
  if (repeats.length === 0) return []
  const rows = await readStored(
    client,
    repeats.map(({ result }) => result.prepared),
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  return repeats.flatMap(({ result, check }) => {
    const row = stored.get(result.prepared.id)
    const status = committedStatus(check, shownSoFar(check, now), now)
    return row ? repeatedResult(row, result.prepared.incoming.identity, status) : []
  })
}
