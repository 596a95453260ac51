import type { CancelTimer, Clock } from '@vedette/wire'
import { asProblem, type Connection } from '../protocol/connection.ts'
import type { Log } from '../log.ts'
import type { ProtocolClient } from '../protocol/protocol-client.ts'
import { resultsBody, type FinishedRun } from './report-text.ts'
import { sendResults, type Sending } from './send-results.ts'
import { sleep } from '../sleep.ts'
import type { Spool } from './spool.ts'

const batchSize = 100
const batchBytes = 4 * 1024 * 1024
const windowMs = 250
/** Results that end within this time are sent together, urgent ones too. */
const urgentWindowMs = 2
const sendsAtOnce = 4
const memoryLimit = 10_000

export interface DeliveryOptions {
  agentId: string
  client: ProtocolClient
  connection: Connection
  spool: Spool
  clock: Clock
  log: Log
}

/**
 * Delivers results to the server: at once, in batches, or from the spool after the server was away. Every result is
 * kept until it is acknowledged.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #stop = new AbortController()
  readonly #sending = new Map<string, FinishedRun>()
  #queue: FinishedRun[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined
  #active = 0
  #replaying: Promise<void> | undefined
  #dropped = 0
  #idle: (() => void)[] = []

  constructor(options: DeliveryOptions) {
    this.#options = options
    options.connection.onReady(() => this.#replay())
  }

  /** Results that were dropped because neither server nor disk accepted them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Results in memory that the server has not acknowledged. */
  held(): readonly FinishedRun[] {
    return [...this.#sending.values(), ...this.#queue]
  }

  add(run: FinishedRun): void {
    this.#queue.push(run)
    this.#schedule(run.urgent ? urgentWindowMs : windowMs)
    if (this.#queue.length >= batchSize) this.#pump()
  }

  /** Sends or spools everything there is; afterwards nothing more may be added. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#pump()
    while (this.#active > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve))
      this.#pump()
    }
    this.#timer?.cancel()
    await this.#replaying
    if (this.#queue.length > 0) await this.#save(this.#queue.splice(0))
  }

  #schedule(delayMs: number): void {
    const at = this.#options.clock.now() + delayMs
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    this.#timer = { at, cancel: this.#options.clock.after(delayMs, () => this.#pump()) }
  }

  #pump(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    while (this.#queue.length > 0 && this.#active < sendsAtOnce) {
      this.#active += 1
      void this.#deliver(this.#takeBatch()).finally(() => {
        this.#active -= 1
        if (this.#queue.length > 0) this.#schedule(this.#queue.some((run) => run.urgent) ? urgentWindowMs : windowMs)
        if (this.#active === 0) for (const resume of this.#idle.splice(0)) resume()
      })
    }
  }

  #takeBatch(): FinishedRun[] {
    let bytes = 0
    const fits = this.#queue.findIndex(
      ({ report }, index) => index > 0 && (index >= batchSize || (bytes += report.length) > batchBytes),
    )
    return this.#queue.splice(0, fits < 0 ? this.#queue.length : fits)
  }

  async #deliver(runs: FinishedRun[]): Promise<void> {
    const { connection, spool } = this.#options
    // While results wait on disk, new ones are spooled too, so that the server receives all in order.
    if (connection.terms === undefined || spool.size > 0) {
      await this.#save(runs)
      this.#replay()
      return
    }
    for (const run of runs) this.#sending.set(run.attemptId, run)
    try {
      const settled = await sendResults(this.#sender(false), runs)
      connection.confirm()
      this.#queue.push(...runs.filter((run) => !settled.has(run.attemptId)).map((run) => ({ ...run, urgent: false })))
    } catch (error) {
      connection.lost(asProblem(error))
      await this.#save(runs)
    } finally {
      for (const run of runs) this.#sending.delete(run.attemptId)
    }
  }

  async #save(runs: readonly FinishedRun[]): Promise<void> {
    const { spool, log } = this.#options
    try {
      await spool.append(runs)
    } catch (error) {
      this.#queue.unshift(...runs.map((run) => ({ ...run, urgent: false })))
      const excess = this.#queue.splice(0, Math.max(0, this.#queue.length - memoryLimit)).length
      this.#dropped += excess
      log.error(
        { error, waiting: this.#queue.length, dropped: this.#dropped },
        'results cannot be written to the spool',
      )
    }
  }

  #replay(): void {
    this.#replaying ??= this.#replayAll().finally(() => (this.#replaying = undefined))
  }

  async #replayAll(): Promise<void> {
    const { connection, spool, clock, log } = this.#options
    let delivered = 0
    try {
      while (spool.size > 0 && connection.terms !== undefined) {
        const reports = await spool.oldest(batchSize, batchBytes)
        const settled = await sendResults(this.#sender(true), reports)
        connection.confirm()
        await spool.forget(settled)
        delivered += settled.size
        if (settled.size === 0) await sleep(clock, 1000, this.#stop.signal)
        if (this.#stop.signal.aborted && settled.size === 0) break
      }
    } catch (error) {
      connection.lost(asProblem(error))
    }
    if (delivered > 0) log.info({ delivered, waiting: spool.size }, 'results from the spool are delivered')
  }

  #sender(replayed: boolean): Sending {
    const { client, agentId, log } = this.#options
    return { post: (reports) => client.results(resultsBody(agentId, reports, replayed)), log }
  }
}
