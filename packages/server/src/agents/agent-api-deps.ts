import type { Clock, LocationId } from '@vedette/wire'
import type { RunQueue } from '../queue/run-queue.ts'
import type { IncomingResult, RunRef } from '../runs.ts'
import type { ResultSink, SchedulingLog } from '../scheduling/result-sink.ts'
import type { AgentKeys } from './agent-keys.ts'
import type { JobSource } from './join-job.ts'
import type { LeaseTokens } from './lease-token.ts'
import type { Presence } from './presence.ts'

/** Everything the routes of the agent protocol work on. */
export interface AgentApiDeps {
  clock: Clock
  keys: AgentKeys
  presence: Presence
  tokens: LeaseTokens
  queue: RunQueue
  jobs: JobSource
  ingest: Pick<ResultSink, 'accept'>
  log: SchedulingLog
  leaseMs: number
  /** Settles when it is known who leads, and what this process has to hand out if it does. */
  ready: () => Promise<void>
  /** An agent asks for work of these locations. */
  onAsked: (locations: ReadonlySet<LocationId>) => void
  /** False while another process schedules: runs wait in its memory. */
  isLeading: () => boolean
  /** The check of these runs does not run any more. */
  onDropped: (refs: readonly RunRef[]) => Promise<void>
  /** We could not say what to run. */
  onNotPrepared: (ref: RunRef) => void
  /** Answers a dry run; its result is stored nowhere. */
  onDryRunResult: (result: IncomingResult) => void
  /** The results of these attempts are in the database, or can never be. */
  onEnded: (attemptIds: readonly string[]) => void
}
