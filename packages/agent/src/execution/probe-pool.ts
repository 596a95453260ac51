import type { ReportBody } from '@vedette/checks/run'
import type { CancelTimer, Clock, Job } from '@vedette/wire'
import { backOffMs } from '../protocol/back-off.ts'
import type { Log } from '../log.ts'
import { ProbeWorker, type GivenJob, type HeldJob } from './probe-worker.ts'
import { finishedRun, internalErrorReport, type FinishedRun } from '../delivery/report-text.ts'
import { countTogether, waitMs } from './start-line.ts'
import type { Unreached } from './thread-messages.ts'
import { Waiters } from '../waiters.ts'

export interface ProbePoolOptions {
  entry: URL
  /** The name by which trouble of our own DNS is recognised; null asks for none. */
  controlName: string | null
  threads: number
  clock: Clock
  random: () => number
  clockOffset: () => number
  log: Log
  /** A job has ended, with a report; cancelled ones end without. `unreached`: its target was not reached. */
  onEnd(job: Job, finished: FinishedRun | undefined, unreached?: Unreached): void
  onCrash: (code: string) => void
  /** Whether others need the place that a run holds until its report comes: then no report waits. */
  isCrowded: () => boolean
  /** Time after its own limit at which a job is given up, in milliseconds. */
  graceMs?: number
  /**
   * Longest wait for a thread after a job is due. Together with the run itself it ends before the server stops renewing
   * the lease, one minute after the limit of the run.
   */
  waitLimitMs?: number
  /** Longest start of a thread. */
  startLimitMs?: number
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
/** With more jobs that are due and wait no others are asked for: another agent may be free. */
const backlog = 100
/** Whether it is smaller is looked at again after this time. */
const backlogRecheckMs = 20
/** A job that its thread has not started so long after it was due goes to a thread that has none such. */
const lateMs = 1000
/** A single crash in this time is replaced at once. */
const crashWindowMs = 60_000

/** Runs jobs in probe threads, each at its time. Every job ends exactly once, also when its thread crashes. */
export class ProbePool {
  readonly #options: ProbePoolOptions
  #workers: ProbeWorker[] = []
  /** Jobs that wait for a thread to start. */
  #queue: HeldJob[] = []
  #crashes = 0
  #lastCrashAt = Number.NEGATIVE_INFINITY
  readonly #threads = new Waiters()
  /** Checks whose last report here did not say that all is well. */
  readonly #troubled = new Set<string>()
  #timers = new Set<CancelTimer>()
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
   * Runs jobs at their time. Nobody waits for a run that was handed out ahead: a report that its target is still well
   * comes with others, within a second.
   */
  submit(jobs: readonly Job[]): void {
    const { clock, clockOffset, isCrowded } = this.#options
    const now = clock.monotonic()
    const serverNow = clock.now() + clockOffset()
    const hasRoom = !isCrowded()
    const held = jobs.map((job) => {
      const at = now + waitMs(job.dueAt, serverNow)
      return { job, at, mayWait: hasRoom && at > now && !this.#troubled.has(job.checkId) }
    })
    this.#deal(held)
  }

  /** The jobs that this pool still holds, waiting and running: their leases are renewed, and no others. */
  jobs(): Job[] {
    return [...this.#queue, ...this.#given()].map(({ job }) => job)
  }

  get running(): number {
    return this.#given().filter(({ claim }) => claim.runsForMs() !== undefined).length
  }

  get eventLoopLagMs(): number {
    return this.#workers.reduce((most, worker) => Math.max(most, worker.eventLoopLagMs), 0)
  }

  get ready(): boolean {
    return this.#workers.some((worker) => worker.takesJobs)
  }

  /** Resolves when a thread can take work before long, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isBehind = this.#lateBy(0) >= backlog
      if (this.ready && !isBehind) return
      const cancel = isBehind ? this.#options.clock.after(backlogRecheckMs, () => this.#threads.wake()) : undefined
      await this.#threads.wait(signal)
      cancel?.()
    }
  }

  /** Cancels a job that the server no longer wants. */
  cancel(attemptId: string): void {
    const isMeant = ({ job }: HeldJob) => job.attemptId === attemptId
    for (const { job } of this.#leaveQueue(isMeant)) this.#end(job, undefined)
    for (const worker of this.#workers) {
      const given = worker.cancel(attemptId)
      if (given !== undefined) this.#end(given.job, undefined)
    }
  }

  /** Removes and returns the jobs that have not started. The others end as soon as they can. */
  takeUnstarted(): Job[] {
    for (const worker of this.#workers) worker.hurry()
    const given = this.#workers.flatMap((worker) => worker.takeBack())
    const jobs = [...this.#leaveQueue(() => true), ...given].map(({ job }) => job)
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
    this.#queue = []
    await Promise.all(this.#workers.splice(0).map((worker) => worker.terminate()))
    return unfinished
  }

  #given(): GivenJob[] {
    return this.#workers.flatMap((worker) => [...worker.jobs.values()])
  }

  #spawn(): void {
    const { entry, controlName } = this.#options
    const worker = new ProbeWorker(
      entry,
      { controlName },
      {
        onReady: () => {
          this.#deal(this.#queue.splice(0))
          this.#threads.wake()
        },
        onReport: (from, { attemptId, report, urgent, unreached }) => {
          const given = from.jobs.get(attemptId)
          if (given === undefined) return
          from.jobs.delete(attemptId)
          this.#noteTrouble(given.job.checkId, urgent)
          this.#end(given.job, { attemptId, lease: given.job.lease, report, urgent }, unreached)
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

  /** Gives jobs to the threads with the fewest, in one message each. Those that start together stay together. */
  #deal(held: readonly HeldJob[], workers = this.#workers.filter((worker) => worker.takesJobs)): void {
    const hands = workers.map((worker) => ({ worker, dealt: [] as HeldJob[] }))
    const left = held.toSorted((one, other) => one.at - other.at)
    const sizeOf = ({ worker, dealt }: (typeof hands)[number]) => worker.jobs.size + dealt.length
    while (left.length > 0) {
      const [least] = hands.toSorted((one, other) => sizeOf(one) - sizeOf(other))
      if (least === undefined) {
        this.#queue.push(...left)
        return
      }
      least.dealt.push(...left.splice(0, countTogether(left)))
    }
    for (const { worker, dealt } of hands) if (dealt.length > 0) worker.run(dealt, this.#options.clockOffset())
  }

  #leaveQueue(leaves: (held: HeldJob) => boolean): HeldJob[] {
    const left = this.#queue.filter(leaves)
    this.#queue = this.#queue.filter((held) => !leaves(held))
    return left
  }

  /** Jobs that have not started so long after their time. */
  #lateBy(ms: number): number {
    const isLate = this.#isLateBy(ms)
    return [...this.#queue, ...this.#given().filter(({ claim }) => claim.isWaiting)].filter(isLate).length
  }

  #isLateBy(ms: number): (held: HeldJob) => boolean {
    const now = this.#options.clock.monotonic()
    return ({ at }) => now > at + ms
  }

  #crashed(worker: ProbeWorker, reason: string): void {
    const { clock, random, log, onCrash } = this.#options
    this.#workers = this.#workers.filter((other) => other !== worker)
    log.error({ reason, jobs: worker.jobs.size }, 'a probe thread ended unexpectedly')
    onCrash('AGENT_CRASH')
    const unstarted = worker.takeBack()
    for (const given of worker.jobs.values()) {
      this.#giveUp(
        given,
        internalErrorReport('AGENT_CRASH', 'The agent thread that ran this check ended unexpectedly.'),
      )
    }
    this.#deal(unstarted)
    if (this.#stopped || worker.retired) return
    // A single crash is replaced at once; a thread that keeps crashing at its start must not keep the machine busy.
    this.#crashes = clock.monotonic() - this.#lastCrashAt > crashWindowMs ? 0 : this.#crashes + 1
    this.#lastCrashAt = clock.monotonic()
    if (this.#crashes === 0) this.#spawn()
    else this.#later(backOffMs(this.#crashes, random), () => this.#spawn())
  }

  #sweepLater(): void {
    this.#later(Math.min(sweepEveryMs, this.#options.graceMs ?? sweepEveryMs), () => {
      this.#sweepRunning()
      this.#sweepWaiting()
      this.#sweepLater()
    })
  }

  /**
   * Moves jobs from a thread that does not start them to one that does, and gives up those that wait for too long: the
   * server hears why, instead of waiting for their lease to end.
   */
  #sweepWaiting(): void {
    const { waitLimitMs = 45_000 } = this.#options
    const isOver = this.#isLateBy(waitLimitMs)
    const over = [...this.#leaveQueue(isOver), ...this.#workers.flatMap((worker) => worker.takeBack(isOver))]
    const text = `No thread of the agent was free for this check within ${Math.round(waitLimitMs / 1000)} s.`
    for (const { job } of over) {
      const run = { attemptId: job.attemptId, lease: job.lease, clockOffsetMs: this.#options.clockOffset() }
      this.#end(job, finishedRun(run, internalErrorReport('AGENT_BUSY', text)))
    }
    const isLate = this.#isLateBy(lateMs)
    const isBehind = (worker: ProbeWorker) =>
      [...worker.jobs.values()].some((given) => isLate(given) && given.claim.isWaiting)
    const free = this.#workers.filter((worker) => worker.takesJobs && !isBehind(worker))
    if (free.length > 0)
      this.#deal(
        this.#workers.flatMap((worker) => worker.takeBack(isLate)),
        free,
      )
  }

  /** Gives up jobs that run far beyond their limit, and replaces their thread, as well as threads that never start. */
  #sweepRunning(): void {
    const { graceMs = 5000, startLimitMs = 30_000, log, onCrash } = this.#options
    for (const worker of this.#workers.slice()) {
      if (!worker.ready && performance.now() > worker.bornAt + startLimitMs) {
        void worker.terminate()
        this.#crashed(worker, `it did not start within ${startLimitMs} ms`)
        continue
      }
      const overdue = [...worker.jobs.values()].filter(
        ({ job, claim }) => (claim.runsForMs() ?? 0) > job.timeoutMs + graceMs,
      )
      for (const given of overdue) {
        worker.cancel(given.job.attemptId)
        this.#giveUp(
          given,
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
        this.#deal(worker.takeBack())
        this.#spawn()
      }
      if (worker.retired && worker.jobs.size === 0) {
        this.#workers = this.#workers.filter((other) => other !== worker)
        void worker.terminate()
      }
    }
  }

  #giveUp({ job, claim }: GivenJob, body: ReportBody): void {
    const { clock, clockOffset } = this.#options
    const clockOffsetMs = clockOffset()
    const stoppedAt = clock.now() + clockOffsetMs
    const times = { startedAt: stoppedAt - (claim.runsForMs() ?? 0), stoppedAt }
    this.#end(job, finishedRun({ attemptId: job.attemptId, lease: job.lease, clockOffsetMs }, { ...body, ...times }))
  }

  #end(job: Job, finished: FinishedRun | undefined, unreached?: Unreached): void {
    this.#options.onEnd(job, finished, unreached)
    if (this.#idle.length > 0 && this.jobs().length === 0) for (const resume of this.#idle.splice(0)) resume()
  }

  #later(delayMs: number, call: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      call()
    })
    this.#timers.add(cancel)
  }
}
