import type { CancelTimer, Clock } from '@vedette/wire'
import type { IncomingResult, RunRef } from '../runs.ts'
import { lostRun, type LostBecause } from './lost-run.ts'
import type { ResultSink, SchedulingLog } from './result-sink.ts'

const firstRetryMs = 1000
const longestRetryMs = 30_000
const batchSize = 100

export interface LossRecorderOptions {
  clock: Clock
  ingest: ResultSink
  /** The loss is in the database, or can never be. */
  onRecorded: (attemptId: string) => void
  log: SchedulingLog
}

/** Sees to it that every lost run ends in the database, however long the database is away. */
export class LossRecorder {
  readonly #options: LossRecorderOptions
  readonly #waiting = new Map<string, IncomingResult>()
  #timer: CancelTimer | undefined
  #writing: Promise<void> | undefined
  #retryMs = firstRetryMs
  #stopped = false

  constructor(options: LossRecorderOptions) {
    this.#options = options
  }

  add(ref: RunRef, because: LostBecause): void {
    if (this.#stopped) return
    this.#waiting.set(ref.attemptId, lostRun(ref, because, this.#options.clock.now()))
    this.#schedule(0)
  }

  /** Ends after what is being written. The rest is recorded by whoever leads next: missed slots are in its gap. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.()
    await this.#writing
  }

  #schedule(delayMs: number): void {
    if (this.#stopped || this.#timer !== undefined || this.#writing !== undefined || this.#waiting.size === 0) return
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#timer = undefined
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
        this.#schedule(this.#retryMs)
      })
    })
  }

  async #write(): Promise<void> {
    const batch = [...this.#waiting.values()].slice(0, batchSize)
    try {
      const { accepted, rejected } = await this.#options.ingest.accept(batch)
      for (const { attemptId, reason } of rejected)
        this.#options.log.error({ attemptId, reason }, 'A lost run could not be recorded.')
      for (const id of [...accepted, ...rejected.map(({ attemptId }) => attemptId)]) {
        this.#waiting.delete(id)
        this.#options.onRecorded(id)
      }
      const isStuck = accepted.length + rejected.length === 0
      this.#retryMs = isStuck ? this.#longerRetry() : 0
    } catch (error) {
      this.#options.log.error({ err: error }, 'Lost runs could not be recorded; trying again.')
      this.#retryMs = this.#longerRetry()
    }
  }

  #longerRetry(): number {
    return Math.min(Math.max(this.#retryMs * 2, firstRetryMs), longestRetryMs)
  }
}
