import type { ReportBody } from '@vedette/checks/run'
import type { CancelTimer, Clock, Job } from '@vedette/wire'
import { backOffMs } from '../protocol/back-off.ts'
import type { Log } from '../log.ts'
import { ProbeWorker, type RunningJob, type Submitted } from './probe-worker.ts'
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
  /**
   * Longest wait for a thread. Together with the run itself it ends before the server stops renewing the lease, one
   * minute after the limit of the run.
   */
  waitLimitMs?: number
  /** Longest start of a thread. */
  startLimitMs?: number
}

interface WaitingJob extends Submitted {
  since: number
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

const sweepEveryMs = 1000
const recheckMs = 6
/** With more jobs waiting no others are asked for: another agent may be free. */
const backlog = 100
/** A single crash in this time is replaced at once. */
const crashWindowMs = 60_000

/** Runs jobs in probe threads. Every job ends exactly once, also when its thread crashes. */
export class ProbePool {
  readonly #options: ProbePoolOptions
  #workers: ProbeWorker[] = []
  #queue: WaitingJob[] = []
  #crashes = 0
  #lastCrashAt = Number.NEGATIVE_INFINITY
  readonly #threads = new Waiters()
  /** Checks whose last report here did not say that all is well. */
  readonly #troubled = new Set<string>()
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

  /**
   * `isAhead`: nobody waits for this run. A report that its target is still well then comes with others, within a second.
   */
  submit(job: Job, isAhead = false): void {
    const mayWait = isAhead && !this.#troubled.has(job.checkId)
    this.#queue.push({ job, mayWait, since: this.#options.clock.monotonic() })
    this.#pump()
  }

  /** The jobs that this pool still holds, waiting and running: their leases are renewed, and no others. */
  jobs(): Job[] {
    const running = this.#workers.flatMap((worker) => [...worker.jobs.values()])
    return [...this.#queue, ...running].map(({ job }) => job)
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

  /** Resolves when a thread can take work before long, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (!(this.ready && this.#queue.length < backlog) && !signal.aborted) await this.#threads.wait(signal)
  }

  /** Cancels a job that the server no longer wants. */
  cancel(attemptId: string): void {
    for (const waiting of this.#leaveQueue(({ job }) => job.attemptId === attemptId)) this.#end(waiting.job, undefined)
    for (const worker of this.#workers) {
      const running = worker.jobs.get(attemptId)
      if (running === undefined) continue
      worker.cancel(attemptId)
      this.#end(running.job, undefined)
    }
  }

  /** Removes and returns the jobs that have not started. The others end as soon as they can. */
  takeUnstarted(): Job[] {
    for (const worker of this.#workers) worker.hurry()
    const jobs = this.#leaveQueue(() => true).map(({ job }) => job)
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
          this.#noteTrouble(running.job.checkId, urgent)
          this.#end(running.job, { attemptId, lease: running.job.lease, report, urgent })
          this.#pump()
        },
        onCrash: (from, reason) => this.#crashed(from, reason),
      },
    )
    this.#workers.push(worker)
  }

  #noteTrouble(checkId: string, urgent: boolean): void {
    if (urgent) this.#troubled.add(checkId)
    else this.#troubled.delete(checkId)
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
      const waiting = this.#queue.shift()
      if (waiting !== undefined) worker.run(waiting, this.#options.clock, this.#options.clockOffset())
      if (this.#queue.length === backlog - 1) this.#threads.wake()
    }
  }

  #leaveQueue(leaves: (waiting: WaitingJob) => boolean): WaitingJob[] {
    const left = this.#queue.filter(leaves)
    if (left.length === 0) return left
    this.#queue = this.#queue.filter((waiting) => !leaves(waiting))
    this.#threads.wake()
    return left
  }

  #freeWorker(): ProbeWorker | undefined {
    return this.#workers
      .filter((worker) => worker.hasRoom())
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
    this.#crashes = clock.monotonic() - this.#lastCrashAt > crashWindowMs ? 0 : this.#crashes + 1
    this.#lastCrashAt = clock.monotonic()
    if (this.#crashes === 0) this.#spawn()
    else this.#later(backOffMs(this.#crashes, random), () => this.#spawn())
  }

  #sweepLater(): void {
    this.#later(Math.min(sweepEveryMs, this.#options.graceMs ?? sweepEveryMs), () => {
      this.#sweepWaiting()
      this.#sweepRunning()
      this.#sweepLater()
    })
  }

  /** Gives up jobs that no thread has taken: the server hears why, instead of waiting for their lease to end. */
  #sweepWaiting(): void {
    const { clock, waitLimitMs = 45_000 } = this.#options
    const text = `No thread of the agent was free for this check within ${Math.round(waitLimitMs / 1000)} s.`
    for (const { job } of this.#leaveQueue(({ since }) => clock.monotonic() > since + waitLimitMs)) {
      const run = { attemptId: job.attemptId, lease: job.lease, clockOffsetMs: this.#options.clockOffset() }
      this.#end(job, finishedRun(run, internalErrorReport('AGENT_BUSY', text)))
    }
  }

  /** Gives up jobs that run far beyond their limit, and replaces their thread, as well as threads that never start. */
  #sweepRunning(): void {
    const { clock, graceMs = 5000, startLimitMs = 30_000, log, onCrash } = this.#options
    for (const worker of this.#workers.slice()) {
      if (!worker.ready && performance.now() > worker.bornAt + startLimitMs) {
        void worker.terminate()
        this.#crashed(worker, `it did not start within ${startLimitMs} ms`)
        continue
      }
      const overdue = [...worker.jobs.values()].filter(
        ({ job, since }) => clock.monotonic() > since + job.timeoutMs + graceMs,
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

  #giveUp({ job, startedAt, since }: RunningJob, body: ReportBody): void {
    const clockOffsetMs = this.#options.clockOffset()
    const times = { startedAt, stoppedAt: startedAt + this.#options.clock.monotonic() - since }
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
