import type { CancelTimer, Clock } from '@vedette/wire'
import { asProblem, type Connection, type Session } from '../protocol/connection.ts'
import type { Log } from '../log.ts'
import type { ProtocolClient } from '../protocol/protocol-client.ts'
import { resultsBody, type FinishedRun } from './report-text.ts'
import { sendResults, type Sending } from './send-results.ts'
import { replay } from './replay.ts'
import type { Spool } from './spool.ts'

const batchSize = 100
const batchBytes = 4 * 1024 * 1024
/** Reports come in batches already; those of several threads are sent together. */
const windowMs = 20
/** Results that end within this time are sent together, urgent ones too. */
const urgentWindowMs = 2
const sendsAtOnce = 4
/** Pause after neither the server nor the disk took results. */
const retryMs = 1000
/** Results in memory that neither took: the oldest above this are dropped. */
const memoryLimit = { results: 10_000, characters: 64 * 1024 * 1024 }

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
  /** Leases of the newest results on disk, as far as this process wrote them there. */
  readonly #leasesOnDisk = new Map<string, string>()
  #queue: FinishedRun[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined
  #active = 0
  #replaying: Promise<void> | undefined
  #dropped = 0
  /** Neither the server nor the disk took the newest results. */
  #isStuck = false
  #idle: (() => void)[] = []

  constructor(options: DeliveryOptions) {
    this.#options = options
    options.connection.onReady(() => this.#resume())
  }

  /** Results that were dropped because neither server nor disk accepted them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Runs of this process whose results the server has not acknowledged, in memory or on disk. */
  held(): readonly Pick<FinishedRun, 'attemptId' | 'lease'>[] {
    return [...this.#sending.values(), ...this.#queue, ...this.#onDisk()]
  }

  #onDisk(): Pick<FinishedRun, 'attemptId' | 'lease'>[] {
    if (this.#leasesOnDisk.size === 0) return []
    const waiting = new Set(this.#options.spool.attemptIds(memoryLimit.results))
    for (const attemptId of this.#leasesOnDisk.keys()) if (!waiting.has(attemptId)) this.#leasesOnDisk.delete(attemptId)
    return [...this.#leasesOnDisk].map(([attemptId, lease]) => ({ attemptId, lease }))
  }

  add(run: FinishedRun): void {
    this.#queue.push(run)
    if (this.#isStuck) this.#queue = this.#bounded(this.#queue)
    this.#schedule(this.#patienceMs(run.urgent))
    if (this.#queue.length >= batchSize && !this.#isStuck) this.#pump()
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
  }

  #patienceMs(urgent: boolean): number {
    if (this.#isStuck) return retryMs
    return urgent ? urgentWindowMs : windowMs
  }

  #schedule(delayMs: number): void {
    const at = this.#options.clock.monotonic() + delayMs
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
        if (this.#queue.length > 0) this.#schedule(this.#patienceMs(this.#queue.some((run) => run.urgent)))
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

  /**
   * To the server; what it does not take now, to disk; else it waits in memory. While results wait on disk, new ones are
   * spooled too, so that the server receives all in order, unless the disk does not take them. Never rejects.
   */
  async #deliver(runs: readonly FinishedRun[]): Promise<void> {
    const { spool } = this.#options
    const isFirst = spool.size === 0
    let left = isFirst ? await this.#send(runs) : undefined
    if (left?.length !== 0 && !(await this.#save(left ?? runs))) {
      if (!isFirst) left = await this.#send(runs)
      this.#isStuck = left === undefined
      this.#keep(left ?? runs)
      return
    }
    this.#isStuck = false
    if (spool.size > 0) this.#replay()
  }

  /** Answers the results that the server wants again; undefined when it is away. */
  async #send(runs: readonly FinishedRun[]): Promise<FinishedRun[] | undefined> {
    const { connection } = this.#options
    const { session } = connection
    if (session === undefined) return undefined
    for (const run of runs) this.#sending.set(run.attemptId, run)
    try {
      const settled = await sendResults(this.#sender(session, false), runs)
      connection.confirm()
      return runs.filter((run) => !settled.has(run.attemptId))
    } catch (error) {
      connection.lost(session, asProblem(error))
      return undefined
    } finally {
      for (const run of runs) this.#sending.delete(run.attemptId)
    }
  }

  /** Whether the disk took them. Its trouble concerns neither the server nor the runs. */
  async #save(runs: readonly FinishedRun[]): Promise<boolean> {
    const { spool, log } = this.#options
    const before = spool.trouble
    for (const run of runs) this.#sending.set(run.attemptId, run)
    try {
      await spool.append(runs)
      if (before !== undefined) log.info('results can be written to the spool again')
      this.#noteLeases(runs)
      return true
    } catch (error) {
      if (before !== spool.trouble) log.error({ error }, 'results cannot be written to the spool: they stay in memory')
      return false
    } finally {
      for (const run of runs) this.#sending.delete(run.attemptId)
    }
  }

  #noteLeases(runs: readonly FinishedRun[]): void {
    for (const { attemptId, lease } of runs) this.#leasesOnDisk.set(attemptId, lease)
    for (const attemptId of this.#leasesOnDisk.keys()) {
      if (this.#leasesOnDisk.size <= memoryLimit.results) return
      this.#leasesOnDisk.delete(attemptId)
    }
  }

  /** Back to the queue, unless the agent stops: nothing is sent later. */
  #keep(runs: readonly FinishedRun[]): void {
    if (runs.length === 0) return
    if (this.#stop.signal.aborted) this.#drop(runs.length)
    else this.#queue = this.#bounded([...runs.map((run) => ({ ...run, urgent: false })), ...this.#queue])
  }

  /** The newest results, as many as memory may hold. */
  #bounded(runs: FinishedRun[]): FinishedRun[] {
    let characters = runs.reduce((sum, { report }) => sum + report.length, 0)
    let excess = 0
    for (const { report } of runs) {
      if (runs.length - excess <= memoryLimit.results && characters <= memoryLimit.characters) break
      characters -= report.length
      excess += 1
    }
    if (excess === 0) return runs
    this.#drop(excess)
    return runs.slice(excess)
  }

  #drop(count: number): void {
    this.#dropped += count
    this.#options.log.error(
      { count, dropped: this.#dropped },
      'results are dropped: neither server nor disk takes them',
    )
  }

  #resume(): void {
    this.#isStuck = false
    this.#replay()
    this.#pump()
  }

  #replay(): void {
    const { connection, spool, clock, log } = this.#options
    const batch = { size: batchSize, bytes: batchBytes }
    const sending = (session: Session) => this.#sender(session, true)
    const { signal } = this.#stop
    this.#replaying ??= replay({ connection, spool, clock, log, batch, sending, signal }).finally(
      () => (this.#replaying = undefined),
    )
  }

  #sender({ silent }: Session, replayed: boolean): Sending {
    const { client, agentId, log } = this.#options
    return { post: (reports) => client.results(resultsBody(agentId, reports, replayed), [silent]), log }
  }
}
