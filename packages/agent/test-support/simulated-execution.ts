import type { ReportBody } from '@vedette/checks/run'
import type { CancelTimer, Clock, Job } from '@vedette/wire'
import { finishedRun, type FinishedRun } from '../src/delivery/report-text.ts'
import { honestReport } from '../src/execution/honest-report.ts'
import type { Execution } from '../src/execution/probe-pool.ts'
import { StartLine } from '../src/execution/start-line.ts'

/** How a run goes: what it finds and how long it takes. `Infinity` never ends. */
export interface PlannedRun {
  tookMs: number
  found: Found
}

/** What a run finds out about its target, or trouble of the agent. */
export type Found = 'up' | 'slow' | 'down' | 'hostile' | 'silent' | 'internal-error' | 'no-network'

export interface SimulatedExecutionOptions {
  clock: Clock
  /** Server time is the time of the clock and this. */
  clockOffset: () => number
  plan: (job: Job) => PlannedRun
  onEnd: (job: Job, finished: FinishedRun | undefined) => void
}

/** Runs jobs without threads and sockets: each starts at its time and ends after its planned time with what was planned. */
export class SimulatedExecution implements Execution {
  readonly #options: SimulatedExecutionOptions
  readonly #line: StartLine<{ job: Job }>
  /** Jobs that wait for their time, by attempt. */
  readonly #waiting = new Map<string, Job>()
  readonly #running = new Map<string, { job: Job; cancel: CancelTimer }>()
  #idle: (() => void)[] = []
  readonly ready = true
  readonly eventLoopLagMs = 0

  constructor(options: SimulatedExecutionOptions) {
    this.#options = options
    const start = ({ job }: { job: Job }) => this.#start(job)
    this.#line = new StartLine({ clock: options.clock, start, isBusy: () => false })
  }

  get running(): number {
    return this.#running.size
  }

  start(): void {}

  stop(): Promise<Job[]> {
    const unfinished = this.jobs()
    this.#waiting.clear()
    for (const { cancel } of this.#running.values()) cancel()
    this.#running.clear()
    return Promise.resolve(unfinished)
  }

  available(): Promise<void> {
    return Promise.resolve()
  }

  submit(jobs: readonly Job[]): void {
    for (const job of jobs) this.#waiting.set(job.attemptId, job)
    this.#line.add(
      jobs.map((job) => ({ job })),
      this.#options.clockOffset(),
    )
  }

  #start(job: Job): void {
    const { clock, plan } = this.#options
    if (!this.#waiting.delete(job.attemptId)) return
    const startedAt = clock.now()
    const { tookMs, found } = plan(job)
    const end = () => this.#end(job, bodyOf({ job, found, startedAt, tookMs, offsetMs: this.#options.clockOffset() }))
    const cancel = tookMs === Infinity ? () => undefined : clock.after(tookMs, end)
    this.#running.set(job.attemptId, { job, cancel })
  }

  cancel(attemptId: string): void {
    const waiting = this.#waiting.get(attemptId)
    this.#waiting.delete(attemptId)
    if (waiting !== undefined) this.#end(waiting, undefined)
    const running = this.#running.get(attemptId)
    if (running === undefined) return
    running.cancel()
    this.#end(running.job, undefined)
  }

  takeUnstarted(): Job[] {
    const jobs = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const job of jobs) this.#end(job, undefined)
    return jobs
  }

  jobs(): Job[] {
    return [...this.#waiting.values(), ...[...this.#running.values()].map(({ job }) => job)]
  }

  async idle(): Promise<void> {
    while (this.jobs().length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #end(job: Job, body: ReportBody | undefined): void {
    this.#running.delete(job.attemptId)
    const { attemptId, lease } = job
    const clockOffsetMs = this.#options.clockOffset()
    this.#options.onEnd(job, body && finishedRun({ attemptId, lease, clockOffsetMs }, honestReport(body)))
    if (this.jobs().length === 0) for (const resume of this.#idle.splice(0)) resume()
  }
}

const causes: Record<Found, string> = {
  up: '',
  slow: 'It took longer than 5 seconds.',
  down: 'It refused to answer.',
  // Half of a character and a NUL, as a cut answer may end with.
  hostile: 'It answered with \ud83d\0',
  silent: 'It did not answer in time.',
  'internal-error': 'Out of memory.',
  'no-network': 'This machine has no network.',
}

const internalErrors: Partial<Record<Found, string>> = {
  'internal-error': 'OUT_OF_MEMORY',
  'no-network': 'NO_NETWORK',
}

const errors: Partial<Record<Found, { code: string; network: boolean }>> = {
  down: { code: 'ECONNREFUSED', network: true },
  hostile: { code: 'EPROTO', network: false },
  silent: { code: 'ETIMEDOUT', network: true },
}

interface EndedRun {
  job: Job
  found: Found
  startedAt: number
  tookMs: number
  offsetMs: number
}

/** The report of a run as a probe thread makes it. */
function bodyOf({ found, startedAt, tookMs, offsetMs }: EndedRun): ReportBody {
  const error = errors[found]
  const internalError = internalErrors[found]
  const outcome = internalError ? 'unknown' : error ? 'fail' : 'pass'
  const cause = causes[found]
  return {
    startedAt: startedAt + offsetMs,
    stoppedAt: startedAt + offsetMs + tookMs,
    timingUncertaintyMs: 0,
    responseMs: outcome === 'pass' ? tookMs : null,
    statusCode: found === 'up' ? 200 : null,
    verdict: { outcome, degraded: found === 'slow', overMaxResponseTime: false, assertions: [], cause },
    error: error ? { phase: 'tcp', text: cause, ...error } : null,
    internalError: internalError ? { code: internalError, text: cause } : null,
    certificateNotAfter: null,
    metrics: {},
    result: found === 'hostile' ? nested(500) : {},
  }
}

/** Deeper than what the server stores. */
function nested(levels: number): Record<string, unknown> {
  let inner: Record<string, unknown> = {}
  for (let level = 0; level < levels; level++) inner = { inner }
  return inner
}
