import type { Queryable } from './db/database.ts'
import type {
  CheckState,
  LocationId,
  ObservedInternalError,
  Outcome,
  ResultContent,
  ResultIdentity,
  RunSource,
  WorkerClass,
} from '@vedette/wire'

/** A reference to one attempt, as it is queued. Definition and secrets are added when it is leased. */
export interface RunRef extends Omit<ResultIdentity, 'emulated' | 'location'> {
  location: LocationId
  workerClass: WorkerClass
}

/**
 * A one-shot of the scheduler: a retry, a requested run, or a tick that was in flight when an earlier leader ended. Stored
 * in `pending_runs` until its result is committed.
 */
export interface PendingRun extends RunRef {
  /** Epoch milliseconds at which to enqueue it. */
  runAt: number
}

/** A result to store. */
export interface IncomingResult {
  identity: ResultIdentity
  report: ResultContent
  receivedAt: number
  /** When an agent leased the run; null when none did: results of passive checks, and of runs that were lost. */
  leasedAt: number | null
}

/** The content of a result that says nothing about its target, because of trouble of ours. */
export const unknownContent = (internalError: ObservedInternalError): ResultContent => ({
  startedAt: null,
  stoppedAt: null,
  clockOffsetMs: 0,
  timingUncertaintyMs: 0,
  responseMs: null,
  statusCode: null,
  verdict: {
    outcome: 'unknown',
    degraded: false,
    overMaxResponseTime: false,
    assertions: [],
    cause: internalError.text,
  },
  error: null,
  internalError,
  certificateNotAfter: null,
  metrics: {},
  result: {},
  replayed: false,
})

/** Outcome of reported results. One in neither list could not be stored for a temporary reason: send it again. */
export interface AcceptAnswer {
  accepted: string[]
  rejected: { attemptId: string; reason: string }[]
}

/** A leader's write came after its term. */
export class TermOver extends Error {}

/** Rejects in a transaction of a leader whose term is over (`TermOver`), and otherwise lets nobody take over before its end. */
export type Fence = (client: Queryable) => Promise<void>

/** Stores results: the part of ingest that scheduling uses. */
export interface ResultSink {
  /** Resolves after COMMIT. With a fence the results are stored only while the term lasts. */
  accept(results: readonly IncomingResult[], fence?: Fence): Promise<AcceptAnswer>
  /** Returns a function that removes the listener. */
  onCommitted(listener: (results: readonly CommittedResult[]) => void): () => void
}

/** Sources whose results are stored; those of others go to a caller that waits. */
export const storedSources: ReadonlySet<RunSource> = new Set([
  'SCHEDULER',
  'SCHEDULE_NOW',
  'TRIGGER_API',
  'GROUP_RUN_ALL',
  'PASSIVE',
])

/** Sources of runs that were asked for: besides the schedule, each with rows of its own in `pending_runs`. */
export const requestedSources: ReadonlySet<RunSource> = new Set(['SCHEDULE_NOW', 'TRIGGER_API', 'GROUP_RUN_ALL'])

/** Destination of a run's result: the database, or a caller that waits for it. */
export type Destination = 'stored' | Reply

/** A caller that waits for the result of a run of no stored check. */
export interface Reply {
  draft: Draft
  /** Undefined when the run was lost. */
  send(result: IncomingResult | undefined): void
}

/** The content of a run whose check is not saved. */
export interface Draft {
  name: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
}

/** Request to run a check that is not saved. */
export interface DryRunRequest {
  accountId: string
  /** Name of the check type. */
  type: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
  location: LocationId
}

/** A requested run, in flight. */
export interface StartedRun {
  checkRunId: number
  resultIds: string[]
}

/** What the overview shows of a check after a result. Times are epoch milliseconds. */
export interface CommittedStatus {
  /** The state before it. */
  previousState: CheckState
  state: CheckState
  since: number | null
  cause: string | null
  /** Ids. */
  failingLocations: readonly string[]
  lastPassAt: number | null
}

/** A result after its transaction committed, for live events, scheduler and sender. */
export interface CommittedResult {
  resultId: string
  accountId: string
  checkId: string
  /** null for passive checks. */
  location: LocationId | null
  dueAt: number
  source: RunSource
  resultType: 'FINAL' | 'ATTEMPT'
  /** Attempts of the run before this one. */
  attempts: number
  outcome: Outcome
  degraded: boolean
  responseMs: number | null
  cause: string | null
  status: CommittedStatus
  /** The next attempt of the run when this one is retried. */
  retry: PendingRun | undefined
  /** Notifications queued by this result. */
  notifications: number
  /** Committed before and delivered again: the first announcement may have been lost. */
  repeated?: boolean
}
