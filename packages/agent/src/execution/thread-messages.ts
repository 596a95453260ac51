import type { Job } from '@vedette/wire'

/** What a probe thread is told. */
export type ToThread = { kind: 'run'; job: Job; clockOffsetMs: number } | { kind: 'cancel'; attemptId: string }

/** What it tells. Reports travel as text, so that the main thread never walks through a body. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'report'; attemptId: string; report: string; urgent: boolean }
  | { kind: 'vitals'; eventLoopLagMs: number }
