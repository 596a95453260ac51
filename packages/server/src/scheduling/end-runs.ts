import type { Queryable } from '../db/database.ts'
import type { RunQueue } from '../queue/run-queue.ts'
import { TermOver, type CommittedResult, type RunRef } from '../runs.ts'
import type { Leadership } from './leadership/leadership.ts'
import type { Outlook } from './outlook.ts'
import type { RunLedger } from './run-ledger.ts'
import type { Scheduler } from './scheduler.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import { deletePendingRuns, readPendingRunsOfCheck, type RunTakenBack } from './store.ts'

/** What waits for the results of requested runs. */
export interface Waiting {
  /** Ends it where none will come, in the transaction that takes the runs back. Returns the checks concerned. */
  takenBack(client: Queryable, runs: readonly RunTakenBack[]): Promise<string[]>
  /** That transaction was committed. */
  ended(checkIds: readonly string[]): void
}

export interface EndingParts {
  waiting: Waiting
  leadership: Pick<Leadership, 'write'>
  ledger: RunLedger
  outlook: Outlook
  queue: RunQueue
  scheduler: Scheduler
  log: SchedulingLog
}

/**
 * After a commit: ends the runs of these results, or continues them with their retry. After the term, when the answer to
 * the COMMIT was late, their retries are those of the next leader.
 */
export function followResults({ ledger, outlook, scheduler }: EndingParts, results: readonly CommittedResult[]): void {
  for (const result of results) {
    const { resultId, retry } = result
    const check = scheduler.check(result.checkId)
    if (check !== undefined) outlook.follow(result, check.runParallel)
    if (retry === undefined || !scheduler.isRunning) ledger.end([resultId])
    else {
      ledger.handOver(resultId, retry, check?.runParallel ?? false)
      scheduler.putOneShot(retry)
    }
  }
}

/** Ends runs of checks that do not run any more. A row that could not be deleted is handled at the next start. */
export async function takeBack(
  { leadership, ledger, log, waiting }: EndingParts,
  refs: readonly RunRef[],
): Promise<void> {
  const attemptIds = refs.map((ref) => ref.attemptId)
  ledger.end(attemptIds)
  try {
    const ended = await inTerm(leadership, (client) => dropRuns(client, { waiting, lost: refs, attemptIds }))
    waiting.ended(ended)
  } catch (error) {
    log.error({ err: error }, 'Runs could not be taken back.')
  }
}

/** Hands out no more of runs that were cancelled: an agent that has one is told so when it renews its lease. */
export function cancelRuns({ ledger, scheduler }: EndingParts, sequenceIds: readonly string[]): void {
  for (const attemptId of sequenceIds.flatMap((id) => ledger.attemptsOf(id))) {
    scheduler.removeOneShot(attemptId)
    ledger.end([attemptId])
  }
}

/** Removes a check from the schedule that was deleted, deactivated or cannot run any more. */
export async function forgetCheck(
  { leadership, ledger, outlook, queue, scheduler, waiting }: EndingParts,
  checkId: string,
): Promise<void> {
  scheduler.remove(checkId)
  ledger.forgetCheck(checkId)
  outlook.forget(checkId)
  const held = await queue.dropCheck(checkId)
  const ended = await inTerm(leadership, async (client) => {
    const runs = await readPendingRunsOfCheck(client, checkId)
    const lost = runs.filter(({ attemptId, isDeleted }) => isDeleted || !held.includes(attemptId))
    return dropRuns(client, { waiting, lost, attemptIds: runs.map(({ attemptId }) => attemptId) })
  })
  waiting.ended(ended)
}

/** Locks what waits before the rows, as ingest does. */
async function dropRuns(
  client: Queryable,
  { waiting, lost, attemptIds }: { waiting: Waiting; lost: readonly RunTakenBack[]; attemptIds: readonly string[] },
): Promise<string[]> {
  const ended = await waiting.takenBack(client, lost)
  await deletePendingRuns(client, attemptIds)
  return ended
}

/** After its term this process leaves the rows to the leader. */
async function inTerm(
  leadership: EndingParts['leadership'],
  work: (client: Queryable) => Promise<string[]>,
): Promise<string[]> {
  try {
    return await leadership.write(work)
  } catch (error) {
    if (error instanceof TermOver) return []
    throw error
  }
}
