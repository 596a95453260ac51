import type { CheckTypeName, WorkerClass, LeaseClaims, LocationId, Outcome, ResultReport } from '@vedette/wire'

/** What caused a run. Names of the contract's `runSource`. */
export type RunSource = 'SCHEDULER' | 'SCHEDULE_NOW' | 'EDITOR'

/** A reference to one attempt: what the queue holds. Definition and secrets are joined when it is leased. */
export interface RunRef {
  attemptId: string
  sequenceId: string
  accountId: string
  checkId: string
  revision: number
  type: CheckTypeName
  /** Epoch milliseconds of the slot, shared by all attempts of the run. */
  dueAt: number
  location: LocationId
  workerClass: WorkerClass
  attempt: number
  source: RunSource
}

/** A one-shot of the scheduler's heap: a retry, or a run asked for. Stored in `pending_runs` until its result is committed. */
export interface PendingRun extends RunRef {
  /** Epoch milliseconds at which to enqueue it. */
  runAt: number
}

/** A result on its way in: identity from the lease, everything else from the agent. */
export interface IncomingResult {
  claims: LeaseClaims
  report: ResultReport
  receivedAt: number
}

/** A result after its transaction committed: what live events, scheduler and sender need to know. */
export interface CommittedResult {
  resultId: string
  accountId: string
  checkId: string
  location: LocationId
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
