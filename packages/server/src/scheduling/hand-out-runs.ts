import type { LocationId } from '@vedette/wire'
import type { AgentWork, CheckAt, WorkItem } from '../agents/agent-work.ts'
import type { LeaseCall, LeasedRun, RunQueue } from '../queue/run-queue.ts'
import { unavailable } from '../api-error.ts'
import type { AcceptAnswer, Fence, IncomingResult, ResultSink, RunRef } from '../runs.ts'
import type { Availability } from './availability.ts'
import type { LossRecorder } from './losses/loss-recorder.ts'
import type { RunLedger } from './run-ledger.ts'
import type { ScheduledCheck } from './schedule-entry.ts'

export interface HandOutOptions {
  queue: RunQueue
  ledger: RunLedger
  availability: Pick<Availability, 'asked'>
  losses: Pick<LossRecorder, 'add'>
  ingest: Pick<ResultSink, 'accept'>
  ready: () => Promise<void>
  isLeading: () => boolean
  /** Keeps a leader whose term is over from storing results. */
  fence: () => Fence | undefined
  /** False once the check was deleted or deactivated. */
  isActive: (checkId: string) => boolean
  checks: () => Iterable<ScheduledCheck>
  /** Ends runs whose check does not run any more. */
  takeBack: (refs: readonly RunRef[]) => Promise<void>
}

/** The agent work of this process. */
export function handOutRuns(options: HandOutOptions): AgentWork {
  const { queue, ledger, losses } = options
  return {
    ready: options.ready,
    isLeading: options.isLeading,
    lease: (call) => lease(options, call),
    renew: (keyId, runs) => queue.renew(keyId, runs),
    release: (keyId, attemptIds) => queue.release(keyId, attemptIds),
    releaseOf: (keyId) => queue.releaseOf(keyId),
    adopt: (keyId, attemptIds, locations) => queue.adopt(keyId, attemptIds, locations),
    notPrepared(run) {
      ledger.giveUp(run.attemptId)
      losses.add(run, 'not-prepared')
    },
    scheduledAt: (location) => scheduledAt(options.checks(), location),
    accept: (results) => accept(options, results),
  }
}

async function lease(options: HandOutOptions, call: LeaseCall): Promise<WorkItem[]> {
  const { queue, availability, isLeading, takeBack } = options
  availability.asked(call.locations)
  const runs = await queue.lease(call)
  if (runs.length === 0) return []
  // After its term a process has no checks in memory and must not treat a run as one of a deleted check.
  if (call.signal.aborted || !isLeading()) {
    await queue.release(
      call.keyId,
      runs.map(({ ref }) => ref.attemptId),
    )
    return []
  }
  const items = runs.map((run) => workItem(options, run))
  const stale = runs.filter((_, at) => items[at] === undefined)
  if (stale.length > 0) await takeBack(stale.map(({ ref }) => ref))
  return items.filter((item) => item !== undefined)
}

function scheduledAt(checks: Iterable<ScheduledCheck>, location: LocationId): CheckAt[] {
  const found = Array.from(checks, (check): CheckAt | undefined => {
    const at = check.locations.indexOf(location)
    if (at < 0) return undefined
    const { checkId, accountId, revision, type, workerClass, frequency, frequencyOffset, runParallel } = check
    const slots = runParallel ? { every: 1, turn: 0 } : { every: check.locations.length, turn: at }
    const from = check.scheduledFrom
    return { checkId, accountId, revision, type, workerClass, frequency, frequencyOffset, ...slots, from }
  })
  return found.filter((check) => check !== undefined).sort((one, other) => (one.checkId < other.checkId ? -1 : 1))
}

/** Undefined for a run that is not needed any more. */
function workItem({ ledger, isActive }: HandOutOptions, run: LeasedRun): WorkItem | undefined {
  const { attemptId, checkId } = run.ref
  const destination = ledger.destinationOf(attemptId)
  if (destination === 'stored') return isActive(checkId) ? { ...run, draft: undefined } : undefined
  return ledger.isOver(attemptId) ? undefined : { ...run, draft: destination.draft }
}

/**
 * Answers callers that wait for a dry run, and stores the rest: only the leader, because its memory holds the runs that
 * end with them.
 */
async function accept(options: HandOutOptions, results: readonly IncomingResult[]): Promise<AcceptAnswer> {
  const { ledger, ingest, isLeading, fence } = options
  const answered: string[] = []
  const toStore: IncomingResult[] = []
  for (const result of results) {
    const { attemptId } = result.identity
    const destination = ledger.destinationOf(attemptId)
    if (destination === 'stored') toStore.push(result)
    else {
      destination.send(result)
      answered.push(attemptId)
    }
  }
  if (toStore.length === 0) return { accepted: answered, rejected: [] }
  if (!isLeading()) throw unavailable('Another server takes results at this moment.', 1)
  const { accepted, rejected } = await ingest.accept(toStore, fence())
  ledger.end([...accepted, ...rejected.map(({ attemptId }) => attemptId)])
  return { accepted: [...accepted, ...answered], rejected }
}
