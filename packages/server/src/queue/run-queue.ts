import type { LocationId, WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'

/** A run handed out. The agent must renew before `expiresAt` (epoch milliseconds). */
export interface LeasedRun {
  ref: RunRef
  leasedAt: number
  expiresAt: number
  /** How long it waited for an agent since it was due, in milliseconds. */
  waitedMs: number
}

/** A lease to be renewed, as its verified token states it. */
export interface HeldRun {
  attemptId: string
  leasedAt: number
  /** The lease is not renewed later than this after it began: the run should long have ended. */
  limitMs: number
}

export interface LeaseCall {
  /** The location key of the caller. Renewals and results of a run are accepted from this key only. */
  keyId: string
  agentId: string
  /** Locations the caller serves. */
  locations: ReadonlySet<LocationId>
  free: Partial<Record<WorkerClass, number>>
  /** Long poll: milliseconds to wait for the first run; 0 answers at once. */
  waitMs: number
  signal: AbortSignal
}

/**
 * `overdue`: the last run of its check did not tell how the target is. `urgent`: the run may change what is known of its
 * check. `steady`: it most likely confirms it.
 */
export type Urgency = 'overdue' | 'urgent' | 'steady'

/** Runs that wait at a location, and how long the oldest of them has waited since it was due, in milliseconds. */
export interface WaitingAt {
  location: LocationId
  count: number
  oldestMs: number
}

/** Why the queue gave a run up. All end as *not known*, never as a failure of the target. */
export type LossReason = 'missed' | 'lease-lost' | 'no-agent-yet'

/** State of attempts that the queue shares with the schedule. */
export interface RunMemory {
  /** True for attempts that must not be handed out again: they ended, or a queue gave them up. */
  isOver(attemptId: string): boolean
  /** From now on the attempt is not handed out; its loss is still to be recorded. */
  giveUp(attemptId: string): void
  end(attemptIds: readonly string[]): void
  /** Called for each attempt that is over: the queue forgets it. */
  onOver(listener: (attemptId: string) => void): void
}

/**
 * Runs waiting for agents: one queue per location and worker class. Adapters share one contract suite. A run is
 * identified by its attempt id: enqueuing an id twice is a no-op while it waits, runs or was just over. The queue
 * learns from its `RunMemory` that a run ended. A run that waited over 6 minutes is lost as `missed`. An expired lease
 * is re-issued once (to another agent if one asks), unless `supersede` named it since; the second expiry loses it as
 * `lease-lost`.
 *
 * Waiting runs are handed out in turn between checks: no check has a second one before another of the same location and
 * urgency that waits has had one. Urgent runs go before steady ones that did not wait two minutes longer.
 */
export interface RunQueue {
  /** Default: steady. */
  enqueue(refs: readonly RunRef[], urgency?: Urgency): Promise<void>
  lease(call: LeaseCall): Promise<LeasedRun[]>
  /**
   * Extends leases whose tokens were verified. Returns the ids that are no longer leased to this key. An id unknown to
   * the queue (leased before a restart) is leased to this key from now on. A lease beyond its limit expires.
   */
  renew(keyId: string, runs: readonly HeldRun[]): Promise<string[]>
  /** Returns unstarted runs to the queue: available at once, without counting as an expiry. */
  release(keyId: string, attemptIds: readonly string[]): Promise<void>
  /** The same for all runs that a key holds which is no longer valid: its agents may report none of them. */
  releaseOf(keyId: string): Promise<void>
  /**
   * Leases runs to an agent that reports to hold them (after a restart), so that they are not issued to others.
   * Accepted only for runs of the locations it serves, because the report cannot be verified.
   */
  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void>
  /** The next slot of their check is due: if the lease of one of these expires, it is lost and not issued again. */
  supersede(attemptIds: readonly string[]): Promise<void>
  /** Loses what waits for a check at a location that no agent has ever served, as `no-agent-yet`: nobody will ask for it. */
  giveUpAt(location: LocationId, checkId: string): Promise<void>
  /** Removes what waits for a check that was deleted or deactivated. Returns the attempts of it that agents hold. */
  dropCheck(checkId: string): Promise<string[]>
  /** Waiting and leased counts per location and worker class, for metrics and health. */
  depth(): { waiting: number; leased: number }
  /** The locations where runs wait. */
  waitingAt(): WaitingAt[]
  /** How many runs of each location agents hold; locations without one are left out. */
  leasedAt(): ReadonlyMap<LocationId, number>
  start(): void
  /** Ends long polls with no runs and clears the queue, which is restored from the schedule and from `pending_runs`. */
  stop(): Promise<void>
}

/** Called by a queue for every run it gives up. */
export type OnLost = (ref: RunRef, reason: LossReason) => void
