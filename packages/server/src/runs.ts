import type { LocationId, Outcome, ResultContent, ResultIdentity, RunSource, WorkerClass } from '@vedette/wire'

/** A reference to one attempt: what the queue holds. Definition and secrets are joined when it is leased. */
export interface RunRef extends Omit<ResultIdentity, 'emulated' | 'location'> {
  location: LocationId
  workerClass: WorkerClass
}

/** A one-shot of the scheduler's heap: a retry, or a run asked for. Stored in `pending_runs` until its result is committed. */
export interface PendingRun extends RunRef {
  /** Epoch milliseconds at which to enqueue it. */
  runAt: number
}

/** A result on its way in. */
export interface IncomingResult {
  identity: ResultIdentity
  report: ResultContent
  receivedAt: number
  /** When an agent leased the run; null when none did: results of passive checks, and of runs that were lost. */
  leasedAt: number | null
}

/** What became of reported results. One in neither list was not stored for a passing reason: send it again. */
export interface AcceptAnswer {
  accepted: string[]
  rejected: { attemptId: string; reason: string }[]
}

/** Where results are stored: ingest, as far as scheduling knows it. */
export interface ResultSink {
  /** Resolves after COMMIT. */
  accept(results: readonly IncomingResult[]): Promise<AcceptAnswer>
  /** Answers how to stop listening. */
  onCommitted(listener: (results: readonly CommittedResult[]) => void): () => void
}

/** Sources whose results are stored; those of others answer somebody who waits. */
export const storedSources: ReadonlySet<RunSource> = new Set(['SCHEDULER', 'SCHEDULE_NOW', 'PASSIVE'])

/** Where the result of a run goes: into the database, or to somebody who waits for it. */
export type Destination = 'stored' | Reply

/** Somebody who waits for the result of a run that no stored check describes. */
export interface Reply {
  draft: Draft
  /** Undefined when the run was lost. */
  send(result: IncomingResult | undefined): void
}

/** What a run does whose check is not saved. */
export interface Draft {
  name: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
}

/** Asks for a run of a check that nobody saved. */
export interface DryRunRequest {
  accountId: string
  /** Name of the check type. */
  type: string
  /** Complete and validated, secrets in the clear. */
  definition: Record<string, unknown>
  location: LocationId
}

/** A run that was asked for, under way. */
export interface StartedRun {
  checkRunId: number
  resultIds: string[]
}

/** A result after its transaction committed: what live events, scheduler and sender need to know. */
export interface CommittedResult {
  resultId: string
  accountId: string
  checkId: string
  /** null for passive checks. */
  location: LocationId | null
  dueAt: number
  resultType: 'FINAL' | 'ATTEMPT'
  outcome: Outcome
  degraded: boolean
  responseMs: number | null
  cause: string | null
  /** The check's state after this result. */
  state: string
  /** The next attempt of the run when this one is retried. */
  retry: PendingRun | undefined
  /** Notifications queued by this result. */
  notifications: number
  /** Committed before and delivered again: the first announcement may have been lost. */
  repeated?: boolean
}
