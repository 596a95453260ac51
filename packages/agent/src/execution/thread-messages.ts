import type { Contact } from '@vedette/checks/run'
import type { Job } from '@vedette/wire'

/** A job to run at its time, and whether a report that its target is well may wait for others. */
export interface Submitted {
  job: Job
  mayWait: boolean
}

/** Messages to a probe thread. */
export type ToThread =
  | {
      kind: 'run'
      jobs: readonly Submitted[]
      /** The claims of these jobs, in their order. */
      claims: SharedArrayBuffer
      clockOffsetMs: number
    }
  /** Ends a job that has started. */
  | { kind: 'cancel'; attemptId: string }
  /** From now on no report waits, nor do those that wait already. */
  | { kind: 'hurry' }

/** The connections that a run tried which did not reach its target; times are epoch milliseconds of this machine. */
export interface Unreached {
  contacts: readonly Contact[]
  endedAt: number
}

/** Reports are texts, so that the main thread does not process their bodies. */
export interface ThreadReport {
  attemptId: string
  report: string
  urgent: boolean
  unreached?: Unreached | undefined
}

/** Messages from a probe thread. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'reports'; reports: readonly ThreadReport[] }
  | { kind: 'vitals'; eventLoopLagMs: number }
