import type { Job } from '@vedette/wire'

/** Messages to a probe thread. */
export type ToThread = { kind: 'run'; job: Job; clockOffsetMs: number } | { kind: 'cancel'; attemptId: string }

/** Messages from a probe thread. Reports are sent as text, so that the main thread does not process their bodies. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'report'; attemptId: string; report: string; urgent: boolean }
  | { kind: 'vitals'; eventLoopLagMs: number }
