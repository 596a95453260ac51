import type { ResultIdentity } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { RunRef } from '../runs.ts'
import { workerClassOf } from '../worker-class-of.ts'
import type { CheckDecision } from './check-decision.ts'
import type { PlannedResult, PreparedResult } from './result-row.ts'
import { nextAttempt } from './retry.ts'
import type { KnownRevision } from './revisions.ts'
import { readRuns, type StoredRun } from './run-store.ts'

export interface Rejection {
  id: string
  reason: string
}

/** A result with its check and revision, ready to store. */
export interface Storable {
  prepared: PreparedResult
  check: CheckDecision
  revision: KnownRevision
}
export interface Planned {
  result: PlannedResult
  check: CheckDecision
}

/**
 * What follows from each result. An agent that was cut off retries a failed run by itself: what it finds out after another
 * agent ended the same run comes too late.
 */
export async function planResults(
  client: PoolClient,
  storable: readonly Storable[],
  now: number,
): Promise<{ planned: Planned[]; ended: Rejection[] }> {
  const retries = storable.map(({ prepared }) => identityOf(prepared)).filter(({ attempt }) => attempt > 0)
  const runs = await readRuns(client, retries)
  const planned: Planned[] = []
  const ended: Rejection[] = []
  for (const item of storable.toSorted(byAttempt)) {
    const { sequenceId, attempt } = identityOf(item.prepared)
    const run = runs.get(sequenceId)
    if (run !== undefined && attempt > run.endedBy) {
      ended.push({ id: item.prepared.id, reason: 'the run has ended with another attempt' })
      continue
    }
    const result = plannedResult(item, run, now)
    planned.push({ result, check: item.check })
    const startedAt = run?.startedAt ?? item.prepared.startedAt ?? undefined
    const endedBy = Math.min(run?.endedBy ?? Infinity, isEnd(result) ? attempt : Infinity)
    runs.set(sequenceId, { startedAt, endedBy })
  }
  return { planned, ended }
}

const identityOf = ({ incoming }: PreparedResult): ResultIdentity => incoming.identity

const byAttempt = (a: Storable, b: Storable): number => identityOf(a.prepared).attempt - identityOf(b.prepared).attempt

const isEnd = ({ resultType, prepared: { incoming, startedAt } }: PlannedResult): boolean =>
  resultType === 'FINAL' && (incoming.report.verdict.outcome !== 'unknown' || startedAt !== null)

/** An agent that was cut off goes on with the revision that it knows. */
function plannedResult(item: Storable, run: StoredRun | undefined, now: number): PlannedResult {
  const { prepared, revision } = item
  const isOutdated = prepared.dueAt >= revision.replacedAt
  const isRetried = isFailure(prepared) && !prepared.cancelled && prepared.incoming.report.retried === true
  const retry = isOutdated || isRetried ? undefined : retryOf(item, run, now)
  return { prepared, resultType: retry || isRetried ? 'ATTEMPT' : 'FINAL', retry, isOutdated }
}

const isFailure = ({ incoming }: PreparedResult): boolean => incoming.report.verdict.outcome === 'fail'

/** A retry without an outcome, in a run whose first attempt failed. */
const isLostRetry = ({ incoming: { identity, report } }: PreparedResult): boolean =>
  identity.attempt > 0 && report.verdict.outcome === 'unknown'

function retryOf({ prepared, check, revision }: Storable, run: StoredRun | undefined, now: number) {
  const lost = isLostRetry(prepared)
  if (!(isFailure(prepared) || lost) || !check.row.activated || prepared.cancelled) return undefined
  const ref = runOf(prepared, check)
  return (
    ref &&
    nextAttempt(
      revision.settings,
      {
        ref,
        networkError: prepared.incoming.report.error?.network ?? false,
        runStartedAt: run?.startedAt ?? prepared.startedAt ?? prepared.dueAt,
        endedAt: prepared.stoppedAt ?? now,
        late: prepared.late,
        lost,
      },
      now,
    )
  )
}

/** The attempt as the queue knows it; undefined for a passive check, which nobody runs. */
function runOf({ incoming }: PreparedResult, { row: { type } }: CheckDecision): RunRef | undefined {
  const { emulated: _, location, ...attempt } = incoming.identity
  const workerClass = workerClassOf(type)
  return workerClass === undefined || location === null ? undefined : { ...attempt, location, type, workerClass }
}
