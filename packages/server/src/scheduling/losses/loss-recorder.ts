import type { CancelTimer, Clock } from '@vedette/wire'
import type { Fence, IncomingResult, ResultSink, RunRef } from '../../runs.ts'
import type { RunLedger } from '../run-ledger.ts'
import type { SchedulingLog } from '../scheduling-log.ts'
import { lostRun, type LostBecause } from './lost-run.ts'

const firstRetryMs = 1000
const longestRetryMs = 30_000
const batchSize = 100

export interface LossRecorderOptions {
  clock: Clock
  ingest: Pick<ResultSink, 'accept'>
  ledger: Pick<RunLedger, 'destinationOf' | 'end'>
  /** Keeps a leader whose term is over from recording. */
  fence: () => Fence | undefined
  log: SchedulingLog
}

/**
 * Records every lost run of a term in the database, however long the database is away. A caller that waits for a dry
 * run is notified at once.
 */
export class LossRecorder {
  readonly #options: LossRecorderOptions
  readonly #waiting = new Map<string, IncomingResult>()
  #timer: CancelTimer | undefined
  #writing: Promise<void> | undefined
  #retryMs = firstRetryMs
  #running = false

  constructor(options: LossRecorderOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
  }

  add(ref: RunRef, because: LostBecause): void {
    const destination = this.#options.ledger.destinationOf(ref.attemptId)
    if (destination !== 'stored') return destination.send(undefined)
    if (!this.#running) return
    this.#waiting.set(ref.attemptId, lostRun(ref, because, this.#options.clock.now()))
    this.#schedule(0)
  }

  /** Ends after the current write. The next leader records the rest: missed slots are in its gap. */
  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    this.#timer = undefined
    await this.#writing
    this.#waiting.clear()
    this.#retryMs = firstRetryMs
  }

  #schedule(delayMs: number): void {
    if (!this.#running || this.#timer !== undefined || this.#writing !== undefined || this.#waiting.size === 0) return
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
      const { accepted, rejected } = await this.#options.ingest.accept(batch, this.#options.fence())
      for (const { attemptId, reason } of rejected)
        this.#options.log.error({ attemptId, reason }, 'A lost run could not be recorded.')
      const recorded = [...accepted, ...rejected.map(({ attemptId }) => attemptId)]
      for (const id of recorded) this.#waiting.delete(id)
      this.#options.ledger.end(recorded)
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
