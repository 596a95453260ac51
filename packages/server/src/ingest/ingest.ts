import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import { ensurePartitions, type PartitionCover } from '../db/partitions.ts'
import { TermOver, type AcceptAnswer, type Fence, type IncomingResult, type ResultSink } from '../runs.ts'
import { CommittedListeners, type CommittedListener } from './committed-listeners.ts'
import { isOfDatabase, isRowFault, isTransient, mayBeOfOneCheck } from './database-faults.ts'
import { prepareResult, type PreparedResult } from './result-row.ts'
import { Setbacks, type IngestCondition } from './setbacks.ts'
import { storeAlone } from './store-alone.ts'
import { storeBatch, type BatchOutcome } from './store-batch.ts'
import { reasonOf, unstorable } from './unstorable.ts'
import { fillBatch, onceEach, takeBatch, type AcceptOutcome, type Waiting } from './waiting.ts'

export interface IngestLog {
  error(details: object, message: string): void
}

export interface IngestOptions {
  db: Database
  clock: Clock
  log?: IngestLog
}

/** Longest wait of changed outcomes for a batch; others wait longer. The cost is per transaction. */
const urgentMs = 10
const calmMs = 250
/** Results that come in batches wait only for those of other agents. */
const batchedMs = 20
const batchedRows = 5
const attemptsPerBatch = 3
/** Checks that may fail one after another before the trouble counts as that of the whole database. */
const mostHeldInARow = 3
/** Results that could not be stored as they were, by how they ended. */
export type NotStorable = Record<'unknown' | 'refused', number>

/** Accepts results, one transaction per batch. Acknowledged results are committed. */
export class Ingest implements ResultSink {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: IngestLog | undefined
  readonly #listeners = new CommittedListeners((error) =>
    this.#log?.error({ err: error }, 'A listener for committed results failed.'),
  )
  /** The last outcome of each check, by which a changed outcome is recognised. */
  readonly #lastOutcomes = new Map<string, string>()
  #cover: PartitionCover = { covers: () => false }
  #waiting: Waiting[] = []
  #timer: { at: number; cancel: CancelTimer } | undefined
  #flushing: Promise<void> | undefined
  #stopped = false
  readonly #notStorable: NotStorable = { unknown: 0, refused: 0 }
  readonly #setbacks: Setbacks

  constructor({ db, clock, log }: IngestOptions) {
    this.#db = db
    this.#clock = clock
    this.#setbacks = new Setbacks(clock)
    this.#log = log
  }

  get notStorable(): Readonly<NotStorable> {
    return this.#notStorable
  }

  /** Resolves after COMMIT. Results delivered twice are accepted twice and change nothing. */
  async accept(results: readonly IncomingResult[], fence?: Fence): Promise<AcceptAnswer> {
    const outcomes = await Promise.all(results.map((incoming) => this.#add(incoming, fence)))
    const answer: AcceptAnswer = { accepted: [], rejected: [] }
    for (const [index, outcome] of outcomes.entries()) {
      const attemptId = results[index]?.identity.attemptId ?? ''
      if (outcome.kind === 'accepted') answer.accepted.push(attemptId)
      if (outcome.kind === 'rejected') answer.rejected.push({ attemptId, reason: outcome.reason })
    }
    return answer
  }

  condition(): IngestCondition {
    return this.#setbacks.condition
  }

  /** Called after each commit with the stored results. Returns a function that removes the listener. */
  onCommitted(listener: CommittedListener): () => void {
    return this.#listeners.add(listener)
  }

  /** Stores what waits, then accepts nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true
    while (this.#flushing || this.#waiting.length > 0) await (this.#flushing ?? this.#flush())
  }

  #add(incoming: IncomingResult, fence: Fence | undefined): Promise<AcceptOutcome> {
    const { checkId } = incoming.identity
    if (this.#stopped || this.#setbacks.isPaused || this.#setbacks.isHeld(checkId))
      return Promise.resolve({ kind: 'unavailable' })
    return new Promise((settle) => {
      const prepared = this.#prepare(incoming)
      const isReplacement = prepared.incoming !== incoming
      this.#waiting.push({ prepared, isReplacement, urgent: this.#isNews(prepared.incoming), fence, settle })
      this.#schedule()
    })
  }

  #prepare(incoming: IncomingResult): PreparedResult {
    try {
      return prepareResult(incoming)
    } catch (error) {
      return this.#replace(incoming, error)
    }
  }

  #replace(incoming: IncomingResult, error: unknown): PreparedResult {
    this.#noteReplaced(incoming, error)
    return unstorable(incoming, error)
  }

  #noteReplaced({ identity: { attemptId, checkId } }: IncomingResult, error: unknown): void {
    this.#log?.error({ err: error, attemptId, checkId }, 'A result cannot be stored; its run ends as not known.')
    this.#notStorable.unknown++
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
    if (fillBatch(this.#waiting)) return 0
    if (this.#waiting.some(({ urgent }) => urgent)) return urgentMs
    return this.#waiting.length >= batchedRows ? batchedMs : calmMs
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
    await this.#store(batch)
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    try {
      const kept = await this.#refuseUnkept(batch)
      if (kept.length > 0) this.#conclude(kept, await this.#commit(kept))
    } catch (error) {
      if (isRowFault(error)) await this.#storeFaulty(batch, error)
      else if (this.#setbacks.isLastTry(batch) && (mayBeOfOneCheck(error) || !isOfDatabase(error)))
        await this.#storeEach(batch)
      else this.#postpone(batch, error)
    }
  }

  /** A batch failed again and again: the result for which it does must not hold up the others. */
  async #storeEach(batch: readonly Waiting[]): Promise<void> {
    let heldInARow = 0
    for (const [at, waiting] of batch.entries()) {
      if (this.#setbacks.isHeld(waiting.prepared.incoming.identity.checkId)) {
        waiting.settle({ kind: 'unavailable' })
        continue
      }
      try {
        await this.#storeAlone(waiting)
        heldInARow = 0
      } catch (error) {
        if (!mayBeOfOneCheck(error) || ++heldInARow > mostHeldInARow) {
          this.#postpone(batch.slice(at), error)
          return
        }
        this.#postponeAlone(waiting, error)
      }
    }
  }

  async #storeAlone(waiting: Waiting): Promise<void> {
    const { prepared, fence } = waiting
    const { outcome, error } = await this.#db.transaction(async (client) => {
      await fence?.(client)
      return storeAlone(client, prepared, this.#clock.now())
    })
    if (outcome === undefined) {
      this.#postponeAlone(waiting, error)
      return
    }
    if (error !== undefined) this.#noteReplaced(prepared.incoming, error)
    this.#conclude([waiting], outcome)
  }

  /** Housekeeping creates partitions ahead, but a suspended host and results from a spool may pass all of them. */
  async #refuseUnkept(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const dueTimes = batch.map(({ prepared }) => prepared.dueAt)
    if (!dueTimes.every((dueAt) => this.#cover.covers(dueAt)))
      this.#cover = await ensurePartitions(this.#db, this.#clock.now(), dueTimes)
    const isKept = ({ prepared }: Waiting) => this.#cover.covers(prepared.dueAt)
    for (const waiting of batch.filter((one) => !isKept(one))) {
      const reason = `it was due at ${new Date(waiting.prepared.dueAt).toISOString()}, a day whose results are not kept`
      this.#refuse(waiting, reason, 'A result is refused: results of its day are not kept.')
    }
    return batch.filter(isKept)
  }

  /** One of the results cannot be stored: each is stored in its own transaction, so that the others are. */
  async #storeFaulty(batch: readonly Waiting[], error: unknown): Promise<void> {
    const [only, ...others] = batch
    if (only === undefined || others.length > 0) {
      for (const waiting of batch) await this.#store([waiting])
    } else if (only.isReplacement) {
      const said = 'A result is refused: not even the record that it cannot be stored was stored.'
      this.#refuse(only, reasonOf(error), said)
    } else {
      await this.#store([{ ...only, prepared: this.#replace(only.prepared.incoming, error), isReplacement: true }])
    }
  }

  #refuse({ prepared, settle }: Waiting, reason: string, said: string): void {
    const { attemptId, checkId } = prepared.incoming.identity
    this.#log?.error({ attemptId, checkId, reason }, said)
    this.#notStorable.refused++
    settle({ kind: 'rejected', reason })
  }

  #postpone(batch: readonly Waiting[], error: unknown, reason = reasonOf(error)): void {
    this.#log?.error({ err: error, results: batch.length, reason }, 'Results could not be stored now.')
    for (const { settle } of batch) settle({ kind: 'unavailable' })
    // After a term the database is well: another server leads now.
    if (!(error instanceof TermOver)) this.#setbacks.failed(batch, reason)
  }

  #postponeAlone(waiting: Waiting, error: unknown): void {
    const { checkId } = waiting.prepared.incoming.identity
    this.#postpone([waiting], error, `check ${checkId}: ${reasonOf(error)}`)
    this.#setbacks.failedAlone(waiting, mayBeOfOneCheck(error))
  }

  async #commit(batch: readonly Waiting[]): Promise<BatchOutcome> {
    const results = onceEach(batch.map(({ prepared }) => prepared))
    const fences = new Set(batch.flatMap(({ fence }) => fence ?? []))
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#db.transaction(async (client) => {
          for (const fence of fences) await fence(client)
          return storeBatch(client, results, this.#clock.now())
        })
      } catch (error) {
        if (attempt >= attemptsPerBatch || !isTransient(error)) throw error
      }
    }
  }

  #conclude(batch: readonly Waiting[], { committed, rejected }: BatchOutcome): void {
    this.#setbacks.succeeded(batch)
    for (const { checkId, outcome, degraded } of committed)
      this.#lastOutcomes.set(checkId, outcomeOf({ outcome, degraded }))
    if (committed.length > 0) this.#listeners.announce(committed)
    const reasons = new Map(rejected.map(({ id, reason }) => [id, reason]))
    for (const { prepared, settle } of batch) {
      const reason = reasons.get(prepared.id)
      settle(reason === undefined ? { kind: 'accepted' } : { kind: 'rejected', reason })
    }
  }
}

const outcomeOf = ({ outcome, degraded }: { outcome: string; degraded: boolean }): string =>
  outcome === 'pass' && degraded ? 'degraded' : outcome
