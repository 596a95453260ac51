import type { Job } from '@vedette/wire'

/** Messages to a probe thread. */
export type ToThread =
  | {
      kind: 'run'
      job: Job
      clockOffsetMs: number
      /** Whether a report that the target is well may wait for others. */
      mayWait: boolean
    }
  | { kind: 'cancel'; attemptId: string }
  /** From now on no report waits, nor do those that wait already. */
  | { kind: 'hurry' }

/** Reports are texts, so that the main thread does not process their bodies. */
export interface ThreadReport {
  attemptId: string
  report: string
  urgent: boolean
}

/** Messages from a probe thread. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'reports'; reports: readonly ThreadReport[] }
  | { kind: 'vitals'; eventLoopLagMs: number }
