import { nextRetryMs, staleAfterMs, type CancelTimer, type Clock, type Job, type PlannedCheck } from '@vedette/wire'
import type { SealingKeys } from '@vedette/wire/sealing'
import { retriedReport, triedOf, type FinishedRun } from '../delivery/report-text.ts'
import type { Log } from '../log.ts'
import { jobOfSlot, type PlannedSlot } from './plan.ts'

/** A retry for which there is no room looks for it again after this time. */
const noRoomMs = 500

export interface OwnRetriesOptions {
  keys: Pick<SealingKeys, 'open'>
  clock: Clock
  /** Milliseconds to add to this machine's clock to get server time. */
  clockOffset: () => number
  isServerThere: () => boolean
  /** False when the server has refused the key: what the plan holds is not used any more. */
  hasPlan: () => boolean
  hasRoom: (check: PlannedCheck) => boolean
  /** Runs a job. False when the agent has that attempt already. */
  submit: (job: Job) => boolean
  /** Takes the reports of a run, in the order of its attempts. */
  deliver: (run: FinishedRun) => void
  log: Log
}

/** A run of the plan. */
interface OwnRun {
  slot: PlannedSlot
  /** Its failed attempts: they are told when it is known whether another one follows. */
  failed: FinishedRun[]
  /** When its first attempt started, server time. */
  startedAt: number | undefined
}

/**
 * The runs of the plan from their first to their last attempt. While no server answers, the agent retries failed ones as
 * the server would: a single failed attempt says less than the check is to say.
 */
export class OwnRetries {
  readonly #options: OwnRetriesOptions
  /** By the attempt that is under way. */
  readonly #running = new Map<string, OwnRun>()
  /** Runs that wait for their next attempt. */
  readonly #waiting = new Map<OwnRun, CancelTimer>()
  #stopped = false

  constructor(options: OwnRetriesOptions) {
    this.#options = options
  }

  /** The checks with a run that waits for its next attempt. */
  waiting(): string[] {
    return [...this.#waiting.keys()].map(({ slot }) => slot.check.checkId)
  }

  /** Attempts that ended and are not told yet. */
  held(): FinishedRun[] {
    return [...this.#running.values(), ...this.#waiting.keys()].flatMap(({ failed }) => failed)
  }

  hasBegun(attemptId: string): boolean {
    return this.#running.has(attemptId)
  }

  begin(slot: PlannedSlot): void {
    this.#start({ slot, failed: [], startedAt: undefined })
  }

  /** An attempt has ended, of whatever run; without a report when it was cancelled or handed back. */
  ended({ attemptId }: Job, finished: FinishedRun | undefined): void {
    const run = this.#running.get(attemptId)
    this.#running.delete(attemptId)
    if (run === undefined) {
      if (finished !== undefined) this.#options.deliver(finished)
    } else if (finished === undefined) this.#tellFailed(run)
    else this.#endedOwn(run, finished)
  }

  /** Nothing is retried any more. What was found out so far is told. */
  stop(): void {
    this.#stopped = true
    for (const [run, cancel] of this.#waiting) {
      cancel()
      this.#tellFailed(run)
    }
    this.#waiting.clear()
  }

  #start(run: OwnRun): void {
    const { submit, keys } = this.#options
    const job = jobOfSlot(run.slot, keys)
    this.#running.set(job.attemptId, run)
    if (submit(job)) return
    this.#running.delete(job.attemptId)
    this.#tellFailed(run)
  }

  #endedOwn(run: OwnRun, finished: FinishedRun): void {
    const delayMs = this.#delayMs(run, finished)
    if (delayMs === undefined) {
      const isRetried = run.failed.length > 0
      this.#tell([...run.failed, finished], isRetried ? false : undefined)
      return
    }
    run.failed.push(finished)
    run.slot = { ...run.slot, attempt: run.slot.attempt + 1 }
    this.#retryIn(run, delayMs)
  }

  /** How long to wait for the next attempt; undefined when none follows, or the server is to decide that. */
  #delayMs(run: OwnRun, { urgent, report }: FinishedRun): number | undefined {
    const { clock, clockOffset, isServerThere } = this.#options
    const { attempt, dueAt, check } = run.slot
    // For what is late the server makes no retry.
    const isServers = isServerThere() && clock.now() + clockOffset() - dueAt < staleAfterMs
    if (!urgent || !check.retryStrategy || isServers || this.#stopped) return undefined
    const { hasFailed, networkError, startedAt, stoppedAt } = triedOf(report)
    if (!hasFailed) return undefined
    run.startedAt ??= startedAt ?? dueAt
    const runMs = (stoppedAt ?? run.startedAt) - run.startedAt
    return nextRetryMs(check.retryStrategy, { attempt, networkError, runMs })
  }

  #retryIn(run: OwnRun, delayMs: number): void {
    const cancel = this.#options.clock.after(delayMs, () => this.#retry(run))
    this.#waiting.set(run, cancel)
  }

  #retry(run: OwnRun): void {
    const { hasPlan, hasRoom, log } = this.#options
    const { check } = run.slot
    this.#waiting.delete(run)
    if (!hasPlan()) this.#tellFailed(run)
    else if (!hasRoom(check)) this.#retryIn(run, noRoomMs)
    else {
      try {
        this.#start(run)
      } catch (error) {
        log.error({ error, checkId: check.checkId }, 'a planned check cannot be retried')
        this.#tellFailed(run)
      }
    }
  }

  /** No attempt follows: whether the last one is the word on the run is for the server to say. */
  #tellFailed({ failed }: OwnRun): void {
    this.#tell(failed, undefined)
  }

  #tell(attempts: readonly FinishedRun[], isLastRetried: false | undefined): void {
    const { deliver } = this.#options
    for (const [nth, run] of attempts.entries()) {
      const retried = nth < attempts.length - 1 ? true : isLastRetried
      deliver(retried === undefined ? run : retriedReport(run, retried))
    }
  }
}
