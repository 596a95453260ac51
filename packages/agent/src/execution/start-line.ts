import { handedOutAheadMs, type CancelTimer, type Clock, type Job } from '@vedette/wire'
import type { Execution } from './probe-pool.ts'

/** A job may start so much after it is due, so that those due within this time start together and cost one wake-up. */
const togetherMs = 25
/** So many start together at most, or they would spoil the times of each other. */
const mostTogether = 8
/** No job waits longer, whatever the clocks say. */
const longestWaitMs = 2 * handedOutAheadMs

export interface StartLineOptions {
  clock: Clock
  /** Server time minus the time of the clock. */
  clockOffset: () => number
  /** Runs the jobs whose time has come. */
  execution: Pick<Execution, 'submit' | 'cancel' | 'takeUnstarted' | 'jobs'>
  /** A job that waited is not to run any more. */
  onEnd: (job: Job, finished: undefined) => void
}

interface WaitingJob {
  job: Job
  at: number
  isAhead: boolean
}

/** Jobs that were handed out before they are due. Each starts at its time; the others start at once. */
export class StartLine {
  readonly #options: StartLineOptions
  /** In the order of `at`, the monotonic time at which the job is due. */
  #waiting: WaitingJob[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined

  constructor(options: StartLineOptions) {
    this.#options = options
  }

  submit(jobs: readonly Job[]): void {
    const { clock, clockOffset } = this.#options
    const now = clock.monotonic()
    const serverNow = clock.now() + clockOffset()
    const added = jobs.map((job) => {
      const waitMs = Math.min(Math.max(job.dueAt - serverNow, 0), longestWaitMs)
      return { job, at: now + waitMs, isAhead: waitMs > 0 }
    })
    this.#waiting = [...this.#waiting, ...added].toSorted((one, other) => one.at - other.at)
    this.#startDue()
  }

  /** The jobs that have not ended, whether or not their time has come. */
  jobs(): Job[] {
    return [...this.#waiting.map(({ job }) => job), ...this.#options.execution.jobs()]
  }

  /** Cancels a job that the server no longer wants. */
  cancel(attemptId: string): void {
    if (this.#leave(({ job }) => job.attemptId === attemptId).length === 0) this.#options.execution.cancel(attemptId)
  }

  /** Removes and returns the jobs that have not started. */
  takeUnstarted(): Job[] {
    return [...this.#leave(() => true), ...this.#options.execution.takeUnstarted()]
  }

  #leave(leaves: (waiting: WaitingJob) => boolean): Job[] {
    const left = this.#waiting.filter(leaves).map(({ job }) => job)
    this.#waiting = this.#waiting.filter((waiting) => !leaves(waiting))
    this.#arm()
    for (const job of left) this.#options.onEnd(job, undefined)
    return left
  }

  #startDue(): void {
    const now = this.#options.clock.monotonic()
    const later = this.#waiting.findIndex(({ at }) => at > now)
    const due = this.#waiting.splice(0, later < 0 ? this.#waiting.length : later)
    this.#arm()
    for (const { job, isAhead } of due) this.#options.execution.submit(job, isAhead)
  }

  #arm(): void {
    const at = this.#nextStart()
    if (at === this.#timer?.at) return
    this.#timer?.cancel()
    this.#timer = undefined
    if (at === undefined) return
    const { clock } = this.#options
    const cancel = clock.after(at - clock.monotonic(), () => {
      this.#timer = undefined
      this.#startDue()
    })
    this.#timer = { at, cancel }
  }

  /** When the last of those is due that start together with the first one. */
  #nextStart(): number | undefined {
    const first = this.#waiting[0]
    return first && this.#waiting.slice(0, mostTogether).findLast(({ at }) => at <= first.at + togetherMs)?.at
  }
}
