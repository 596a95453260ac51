import type { LocationId } from '@vedette/wire'
import type { LeaseCall, LeasedRun } from '../queue/run-queue.ts'
import type { AcceptAnswer, Draft, IncomingResult, RunRef } from '../runs.ts'

/** A run for an agent. `draft` is what it does when no stored check says it. */
export interface WorkItem extends LeasedRun {
  draft: Draft | undefined
}

/** What the agent protocol asks of whoever holds the runs. Attempts are named by ids whose tokens were verified. */
export interface AgentWork {
  /** Settles when it is known who leads, and what this process has to hand out if it does. */
  ready(): Promise<void>
  /** False while another process schedules: runs wait in its memory. */
  isLeading(): boolean
  /** Waits for runs of checks that are still active. Nothing is leased to a caller that hung up. */
  lease(call: LeaseCall): Promise<WorkItem[]>
  /** Answers the attempts that this key no longer holds. */
  renew(keyId: string, attemptIds: readonly string[]): Promise<string[]>
  /** Handed back unstarted. */
  release(keyId: string, attemptIds: readonly string[]): Promise<void>
  /** An agent says it holds these. Believed only for runs of the locations it serves. */
  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void>
  /** We could not say what to run. */
  notPrepared(run: RunRef): void
  /** Brings results to where they belong: into the database, or to who waits for them. */
  accept(results: readonly IncomingResult[]): Promise<AcceptAnswer>
}
