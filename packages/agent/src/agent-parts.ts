import type { IntervalHistogram } from 'node:perf_hooks'
import type { Diagnostics } from '@vedette/checks/net'
import type { Clock } from '@vedette/wire'
import type { Execution, ProbePoolOptions } from './execution/probe-pool.ts'
import type { Log } from './log.ts'
import type { PostJson } from './protocol/post-json.ts'

export interface AgentParts {
  log: Log
  clock?: Clock
  random?: () => number
  /** Entry of the probe threads. */
  threadEntry?: URL
  /** Pause after the key was refused. */
  deniedRetryMs?: number
  /** Works without health endpoints and spool when it cannot have them. Nobody watches its start and corrects it. */
  isBuiltIn?: boolean
  /** Time after its own limit at which a run is given up, in milliseconds. */
  overdueGraceMs?: number
  /** Sends messages to the server; over HTTP by default. */
  post?: PostJson
  /** Runs the jobs; in probe threads by default. */
  execution?: (options: ProbePoolOptions) => Execution
  /** What this machine can do and others may not. */
  capabilities?: readonly string[]
  /** Looks into network trouble of runs; nothing does without. */
  diagnostics?: Diagnostics
  /** Measures how long the main thread stands still. */
  loopDelay?: LoopDelay
}

export type LoopDelay = Pick<IntervalHistogram, 'max' | 'enable' | 'disable' | 'reset'>
