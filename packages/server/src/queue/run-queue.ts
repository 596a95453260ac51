import type { LocationId, WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'

/** A run handed out. The agent must renew before `expiresAt` (epoch milliseconds). */
export interface LeasedRun {
  ref: RunRef
  leasedAt: number
  expiresAt: number
}

export interface LeaseCall {
  /** The location key the caller signed in with: renewals and results of a run are taken from it alone. */
  keyId: string
  agentId: string
  /** Locations the caller serves. */
  locations: ReadonlySet<LocationId>
  free: Partial<Record<WorkerClass, number>>
  /** Long poll: milliseconds to wait for the first run; 0 answers at once. */
  waitMs: number
  signal: AbortSignal
}

/** Why the queue gave a run up. Both end as *not known*, never as a failure of the target. */
export type LossReason = 'missed' | 'lease-lost'

/** What a queue must know of attempts beyond what waits in it, shared with the schedule. */
export interface RunMemory {
  /** True for attempts that must not be handed out any more: they ended, or a queue gave them up. */
  isOver(attemptId: string): boolean
  /** Nothing hands the attempt out any more; that it was lost is still to be recorded. */
  giveUp(attemptId: string): void
  end(attemptIds: readonly string[]): void
  /** Called for each attempt that is over: the queue forgets it. */
  onOver(listener: (attemptId: string) => void): void
}

/**
 * Work waiting for agents: one queue per location and worker class. Adapters share one contract suite.
 * A run is known by its attempt id: enqueuing an id twice is a no-op while it waits, runs or was just over. That a run
 * ended the queue learns from the `RunMemory` it was made with.
 * A run that waited over 6 minutes is lost as `missed`. An expired lease is re-issued once (to another agent if one asks),
 * unless `supersede` named it since; the second expiry loses it as `lease-lost`.
 */
export interface RunQueue {
  enqueue(refs: readonly RunRef[]): Promise<void>
  lease(call: LeaseCall): Promise<LeasedRun[]>
  /**
   * Extends leases whose tokens were verified. Answers the ids that are no longer leased to this key; an id the queue has
   * never heard of (it was leased before a restart) is held from now on.
   */
  renew(keyId: string, attemptIds: readonly string[]): Promise<string[]>
  /** Handed back unstarted: available again at once, without counting as an expiry. */
  release(keyId: string, attemptIds: readonly string[]): Promise<void>
  /**
   * An agent says it holds these (after a restart): they are leased to it and not issued to others. Believed only for
   * runs of the locations it serves, for nothing but its word stands behind it.
   */
  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void>
  /** The next slot of their check is due: if the lease of one of these expires it is lost, not issued again. */
  supersede(attemptIds: readonly string[]): Promise<void>
  /** Drops what waits for a check that was deleted or deactivated. */
  dropCheck(checkId: string): Promise<void>
  /** Waiting and leased counts per location and worker class, for metrics and health. */
  depth(): { waiting: number; leased: number }
  start(): void
  /** Ends long polls with no runs and forgets what waits: it comes back from the schedule and from `pending_runs`. */
  stop(): Promise<void>
}

/** Called by a queue for every run it gives up. */
export type OnLost = (ref: RunRef, reason: LossReason) => void
