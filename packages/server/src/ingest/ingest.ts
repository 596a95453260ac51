import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import { ensurePartitions, type PartitionCover } from '../db/partitions.ts'
import type { AcceptAnswer, CommittedResult, IncomingResult, ResultSink } from '../runs.ts'
import { isTransient, isRowFault } from './database-faults.ts'
import { prepareResult, type PreparedResult } from './result-row.ts'
import { storeBatch, type BatchOutcome } from './store-batch.ts'

export interface IngestLog {
  error(details: object, message: string): void
}

export interface IngestOptions {
  db: Database
  clock: Clock
  log?: IngestLog
}

export type CommittedListener = (results: readonly CommittedResult[]) => void

const batchRows = 100
const batchCharacters = 4 * 1024 * 1024
/** Longest wait of changed outcomes for a batch; others wait longer. The cost is per transaction. */
const urgentMs = 10
const calmMs = 250
const busyMs = 500
const busyRows = 5
const attemptsPerBatch = 3

type AcceptOutcome = { kind: 'accepted' } | { kind: 'rejected'; reason: string } | { kind: 'unavailable' }

interface Waiting {
  prepared: PreparedResult
  urgent: boolean
  settle: (outcome: AcceptOutcome) => void
}

/** Accepts results, one transaction per batch. Acknowledged results are committed. */
export class Ingest implements ResultSink {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: IngestLog | undefined
  readonly #listeners = new Set<CommittedListener>()
  /** The last outcome of each check, by which a changed outcome is recognised. */
  readonly #lastOutcomes = new Map<string, string>()
  #cover: PartitionCover = { covers: () => false }
  #waiting: Waiting[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined
  #flushing: Promise<void> | undefined
  #lastBatch = 0
  #stopped = false

  constructor({ db, clock, log }: IngestOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  /** Resolves after COMMIT. Results delivered twice are accepted twice and change nothing. */
  async accept(results: readonly IncomingResult[]): Promise<AcceptAnswer> {
    const outcomes = await Promise.all(results.map((incoming) => this.#add(incoming)))
    const answer: AcceptAnswer = { accepted: [], rejected: [] }
    for (const [index, outcome] of outcomes.entries()) {
      const attemptId = results[index]?.identity.attemptId ?? ''
      if (outcome.kind === 'accepted') answer.accepted.push(attemptId)
      if (outcome.kind === 'rejected') answer.rejected.push({ attemptId, reason: outcome.reason })
    }
    return answer
  }

  /** Called after each commit with the stored results. Returns a function that removes the listener. */
  onCommitted(listener: CommittedListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Stores what waits, then accepts nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true
    while (this.#flushing || this.#waiting.length > 0) await (this.#flushing ?? this.#flush())
  }

  #add(incoming: IncomingResult): Promise<AcceptOutcome> {
    if (this.#stopped) return Promise.resolve({ kind: 'unavailable' })
    return new Promise((settle) => {
      const prepared = prepareResult(incoming)
      this.#waiting.push({ prepared, urgent: this.#isNews(incoming), settle })
      this.#schedule()
    })
  }

  #isNews({ identity, report }: IncomingResult): boolean {
    return report.verdict.outcome === 'fail' || this.#lastOutcomes.get(identity.checkId) !== outcomeOf(report.verdict)
  }

  #schedule(): void {
    if (this.#flushing || this.#waiting.length === 0) return
    const delay = this.#delay()
    if (delay === 0) {
      void this.#flush()
      return
    }
    const at = this.#clock.monotonic() + delay
    if (this.#timer && this.#timer.at <= at) return
    this.#timer?.cancel()
    this.#timer = { at, cancel: this.#clock.after(delay, () => void this.#flush()) }
  }

  #delay(): number {
    if (this.#waiting.length >= batchRows || charactersOf(this.#waiting) >= batchCharacters) return 0
    if (this.#waiting.some(({ urgent }) => urgent)) return urgentMs
    return this.#lastBatch >= busyRows ? busyMs : calmMs
  }

  #flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#flushing ??= this.#storeNext().finally(() => {
      this.#flushing = undefined
      this.#schedule()
    })
    return this.#flushing
  }

  async #storeNext(): Promise<void> {
    const batch = takeBatch(this.#waiting)
    this.#waiting = this.#waiting.slice(batch.length)
    this.#lastBatch = batch.length
    await this.#store(batch)
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#conclude(batch, await this.#commit(batch))
    } catch (error) {
      if (isRowFault(error)) await this.#storeFaulty(batch, error)
      else this.#postpone(batch, error)
    }
  }

  /** One of the results cannot be stored: each is stored in its own transaction, so that the others are. */
  async #storeFaulty(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      for (const waiting of batch) await this.#store([waiting])
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    this.#log?.error({ err: error, attemptId: batch[0]?.prepared.id }, 'A result cannot be stored.')
    for (const { settle } of batch) settle({ kind: 'rejected', reason })
  }

  #postpone(batch: readonly Waiting[], error: unknown): void {
    this.#log?.error({ err: error, results: batch.length }, 'Results could not be stored now.')
    for (const { settle } of batch) settle({ kind: 'unavailable' })
  }

  async #commit(batch: readonly Waiting[]): Promise<BatchOutcome> {
    const results = onceEach(batch.map(({ prepared }) => prepared))
    // Housekeeping creates partitions ahead, but a suspended host may pass all of them.
    if (!results.every(({ dueAt }) => this.#cover.covers(dueAt)))
      this.#cover = await ensurePartitions(this.#db, this.#clock.now())
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#db.transaction((client) => storeBatch(client, results, this.#clock.now()))
      } catch (error) {
        if (attempt >= attemptsPerBatch || !isTransient(error)) throw error
      }
    }
  }

  #conclude(batch: readonly Waiting[], { committed, rejected }: BatchOutcome): void {
    for (const { checkId, outcome, degraded } of committed)
      this.#lastOutcomes.set(checkId, outcomeOf({ outcome, degraded }))
    if (committed.length > 0) this.#announce(committed)
    const reasons = new Map(rejected.map(({ id, reason }) => [id, reason]))
    for (const { prepared, settle } of batch) {
      const reason = reasons.get(prepared.id)
      settle(reason === undefined ? { kind: 'accepted' } : { kind: 'rejected', reason })
    }
  }

  #announce(committed: readonly CommittedResult[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed)
      } catch (error) {
        this.#log?.error({ err: error }, 'A listener for committed results failed.')
      }
    }
  }
}

const outcomeOf = ({ outcome, degraded }: { outcome: string; degraded: boolean }): string =>
  outcome === 'pass' && degraded ? 'degraded' : outcome

/** One result for each attempt: that of an agent wins over the record that the run was lost. */
function onceEach(results: readonly PreparedResult[]): PreparedResult[] {
  const unique = new Map<string, PreparedResult>()
  for (const result of results) {
    const says = result.incoming.report.verdict.outcome !== 'unknown'
    if (says || !unique.has(result.id)) unique.set(result.id, result)
  }
  return [...unique.values()]
}

const charactersOf = (waiting: readonly Waiting[]): number =>
  waiting.reduce((sum, { prepared }) => sum + prepared.bodyText.length, 0)

function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  let characters = 0
  let rows = 0
  for (const { prepared } of waiting) {
    characters += prepared.bodyText.length
    if (rows === batchRows || (rows > 0 && characters > batchCharacters)) break
    rows++
  }
  return waiting.slice(0, rows)
}
