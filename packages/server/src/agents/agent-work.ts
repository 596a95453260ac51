import type { LocationId } from '@vedette/wire'
import type { HeldRun, LeaseCall, LeasedRun } from '../queue/run-queue.ts'
import type { AcceptAnswer, Draft, IncomingResult, RunRef } from '../runs.ts'

/** A run for an agent. `draft` is its content when it is of no stored check. */
export interface WorkItem extends LeasedRun {
  draft: Draft | undefined
}

/** A check of the schedule and the slots of it that are due at one location: slot n when n mod `every` is `turn`. */
export interface CheckAt extends Pick<RunRef, 'checkId' | 'accountId' | 'revision' | 'type' | 'workerClass'> {
  frequency: number
  frequencyOffset: number
  every: number
  turn: number
  /** Slots before this are not run. */
  from: number
}

/** What the agent protocol needs of the queue. Attempts are named by ids from verified lease tokens. */
export interface AgentWork {
  /** Settles when the leader is known and, if it is this process, its schedule is loaded. */
  ready(): Promise<void>
  /** False while another process schedules: its memory holds the runs. */
  isLeading(): boolean
  /** Waits for runs of active checks. Nothing is leased to a caller that closed the connection. */
  lease(call: LeaseCall): Promise<WorkItem[]>
  /** Returns the attempts that this key no longer holds. */
  renew(keyId: string, runs: readonly HeldRun[]): Promise<string[]>
  /** Returns unstarted runs to the queue. */
  release(keyId: string, attemptIds: readonly string[]): Promise<void>
  /** Returns the runs of a key that is no longer valid. */
  releaseOf(keyId: string): Promise<void>
  /** Registers runs that an agent reports to hold. Accepted only for runs of the locations it serves. */
  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void>
  /** The definition of the run could not be prepared. */
  notPrepared(run: RunRef): void
  /** The checks that run at the location, by id. */
  scheduledAt(location: LocationId): CheckAt[]
  /** Passes results on: to the database, or to the caller that waits for them. */
  accept(results: readonly IncomingResult[]): Promise<AcceptAnswer>
}
