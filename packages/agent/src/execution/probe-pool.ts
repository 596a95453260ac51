import type { ReportBody } from '@vedette/checks/run'
import type { CancelTimer, Clock, Job } from '@vedette/wire'
import { backOffMs } from '../protocol/back-off.ts'
import type { Log } from '../log.ts'
import { ProbeWorker, type RunningJob } from './probe-worker.ts'
import { finishedRun, internalErrorReport, type FinishedRun } from '../delivery/report-text.ts'
import { Waiters } from '../waiters.ts'

export interface ProbePoolOptions {
  entry: URL
  /** The name by which trouble of our own DNS is recognised; null asks for none. */
  controlName: string | null
  threads: number
  clock: Clock
  random: () => number
  clockOffset(): number
  log: Log
  /** A job has ended, with a report; cancelled ones end without. */
  onEnd(job: Job, finished: FinishedRun | undefined): void
  onCrash: (code: string) => void
  /** Time after its own limit at which a job is given up, in milliseconds. */
  graceMs?: number
}

/** What the agent needs of the part that runs jobs. */
export type Execution = Pick<
  ProbePool,
  | 'start'
  | 'stop'
  | 'ready'
  | 'available'
  | 'submit'
  | 'cancel'
  | 'takeUnstarted'
  | 'jobs'
  | 'running'
  | 'idle'
  | 'eventLoopLagMs'
>

/** Above this utilization a thread's timings suffer, so jobs wait. The wait is not part of a measured time. */
const busyAbove = 0.7
/** A thread with fewer jobs always gets work: its utilization comes from its own start. */
const alwaysAdmitted = 4
const sweepEveryMs = 1000
const recheckMs = 25

/** Runs jobs in probe threads. Every job ends exactly once, also when its thread crashes. */
export class ProbePool {
  readonly #options: ProbePoolOptions
  #workers: ProbeWorker[] = []
  #queue: Job[] = []
  #crashes = 0
  #lastCrashAt = Number.NEGATIVE_INFINITY
  readonly #threads = new Waiters()
  #timers = new Set<CancelTimer>()
  #recheck: CancelTimer | undefined
  #stopped = false
  #idle: (() => void)[] = []

  constructor(options: ProbePoolOptions) {
    this.#options = options
  }

  start(): void {
    for (let count = 0; count < this.#options.threads; count++) this.#spawn()
    this.#sweepLater()
  }

  submit(job: Job): void {
    this.#queue.push(job)
    this.#pump()
  }

  has(attemptId: string): boolean {
    return this.jobs().some((job) => job.attemptId === attemptId)
  }

  /** Waiting and running. */
  jobs(): Job[] {
    return [...this.#queue, ...this.#workers.flatMap((worker) => [...worker.jobs.values()].map(({ job }) => job))]
  }

  get running(): number {
    return this.#workers.reduce((sum, worker) => sum + worker.jobs.size, 0)
  }

  get eventLoopLagMs(): number {
    return this.#workers.reduce((most, worker) => Math.max(most, worker.eventLoopLagMs), 0)
  }

  get ready(): boolean {
    return this.#workers.some((worker) => worker.ready && !worker.retired)
  }

  /** Resolves when a thread can take work, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (!this.ready && !signal.aborted) await this.#threads.wait(signal)
  }

  /** Cancels a job that the server no longer wants. */
  cancel(attemptId: string): void {
    for (const job of this.#queue.filter((waiting) => waiting.attemptId === attemptId)) {
      this.#queue = this.#queue.filter((waiting) => waiting !== job)
      this.#end(job, undefined)
    }
    for (const worker of this.#workers) {
      const running = worker.jobs.get(attemptId)
      if (running === undefined) continue
      worker.cancel(attemptId)
      this.#end(running.job, undefined)
    }
  }

  /** Removes and returns the jobs that have not started. */
  takeUnstarted(): Job[] {
    const jobs = this.#queue.splice(0)
    for (const job of jobs) this.#end(job, undefined)
    return jobs
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    while (this.jobs().length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Ends the threads at once and answers the jobs that were still running, which have no report. */
  async stop(): Promise<Job[]> {
    this.#stopped = true
    const unfinished = this.jobs()
    for (const cancel of this.#timers) cancel()
    this.#recheck?.()
    this.#queue = []
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()))
    return unfinished
  }

  #spawn(): void {
    const { entry, controlName } = this.#options
    const worker = new ProbeWorker(
      entry,
      { controlName },
      {
        onReady: () => {
          this.#threads.wake()
          this.#pump()
        },
        onReport: (from, { attemptId, report, urgent }) => {
          const running = from.jobs.get(attemptId)
          if (running === undefined) return
          from.jobs.delete(attemptId)
          this.#end(running.job, { attemptId, lease: running.job.lease, report, urgent })
          this.#pump()
        },
        onCrash: (from, reason) => this.#crashed(from, reason),
      },
    )
    this.#workers.push(worker)
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const worker = this.#freeWorker()
      if (worker === undefined) {
        this.#recheck ??= this.#options.clock.after(recheckMs, () => {
          this.#recheck = undefined
          this.#pump()
        })
        return
      }
      const job = this.#queue.shift()
      if (job !== undefined) worker.run(job, this.#options.clock.now(), this.#options.clockOffset())
    }
  }

  #freeWorker(): ProbeWorker | undefined {
    return this.#workers
      .filter((worker) => worker.ready && !worker.retired)
      .filter((worker) => worker.jobs.size < alwaysAdmitted || worker.utilization() <= busyAbove)
      .toSorted((one, other) => one.jobs.size - other.jobs.size)[0]
  }

  #crashed(worker: ProbeWorker, reason: string): void {
    const { clock, random, log, onCrash } = this.#options
    this.#workers = this.#workers.filter((other) => other !== worker)
    log.error({ reason, jobs: worker.jobs.size }, 'a probe thread ended unexpectedly')
    onCrash('AGENT_CRASH')
    for (const running of worker.jobs.values()) {
      this.#giveUp(
        running,
        internalErrorReport('AGENT_CRASH', 'The agent thread that ran this check ended unexpectedly.'),
      )
    }
    if (this.#stopped || worker.retired) return
    // A single crash is replaced at once; a thread that keeps crashing at its start must not keep the machine busy.
    this.#crashes = clock.now() - this.#lastCrashAt > 60_000 ? 0 : this.#crashes + 1
    this.#lastCrashAt = clock.now()
    if (this.#crashes === 0) this.#spawn()
    else this.#later(backOffMs(this.#crashes, random), () => this.#spawn())
  }

  #sweepLater(): void {
    this.#later(Math.min(sweepEveryMs, this.#options.graceMs ?? sweepEveryMs), () => {
      this.#sweep()
      this.#sweepLater()
    })
  }

  /** Gives up jobs that run far beyond their limit, and replaces their thread. */
  #sweep(): void {
    const { clock, graceMs = 5000, log, onCrash } = this.#options
    for (const worker of this.#workers.slice()) {
      const overdue = [...worker.jobs.values()].filter(
        ({ job, startedAt }) => clock.now() > startedAt + job.timeoutMs + graceMs,
      )
      for (const running of overdue) {
        worker.cancel(running.job.attemptId)
        this.#giveUp(
          running,
          internalErrorReport('AGENT_STALLED', 'The agent did not end this check within its time limit.'),
        )
      }
      if (overdue.length > 0 && !worker.retired) {
        log.error(
          { checks: overdue.map(({ job }) => job.checkId) },
          'checks did not end in time: replacing their thread',
        )
        onCrash('AGENT_STALLED')
        worker.retired = true
        this.#spawn()
      }
      if (worker.retired && worker.jobs.size === 0) {
        this.#workers = this.#workers.filter((other) => other !== worker)
        void worker.terminate()
      }
    }
  }

  #giveUp({ job, startedAt }: RunningJob, body: ReportBody): void {
    const clockOffsetMs = this.#options.clockOffset()
    const times = { startedAt: startedAt + clockOffsetMs, stoppedAt: this.#options.clock.now() + clockOffsetMs }
    this.#end(job, finishedRun({ attemptId: job.attemptId, lease: job.lease, clockOffsetMs }, { ...body, ...times }))
  }

  #end(job: Job, finished: FinishedRun | undefined): void {
    this.#options.onEnd(job, finished)
    if (this.#queue.length === 0 && this.running === 0) for (const resume of this.#idle.splice(0)) resume()
  }

  #later(delayMs: number, call: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      call()
    })
    this.#timers.add(cancel)
  }
}
