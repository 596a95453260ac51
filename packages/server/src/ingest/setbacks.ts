import type { Clock } from '@vedette/wire'
import type { Waiting } from './waiting.ts'

/** Whether results can be stored. Times are of the monotonic clock. */
export interface IngestCondition {
  /** undefined before the first commit. */
  committedAt: number | undefined
  /** Since when no commit has succeeded, and the last one that failed; undefined while storing works. */
  failing: { since: number; lastAt: number; reason: string } | undefined
}

/** After the second failure in a row nothing is taken for a while: whoever reports keeps its results and tries again. */
const firstPauseMs = 500
const longestPauseMs = 5_000
/** Tries of a result together with others. */
const mostTries = 3
/** Results whose tries are counted: the oldest are forgotten above this. */
const countedResults = 10_000

/** Commits that failed: how long to pause, and which results failed again and again. */
export class Setbacks {
  readonly #clock: Clock
  #condition: IngestCondition = { committedAt: undefined, failing: undefined }
  /** Failures in a row, and the monotonic time until which nothing is taken after them. */
  #failures = 0
  #pausedUntil = -Infinity
  readonly #tries = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get condition(): IngestCondition {
    return this.#condition
  }

  get isPaused(): boolean {
    return this.#clock.monotonic() < this.#pausedUntil
  }

  /** True when one of the batch must not hold up the others any more. */
  isLastTry(batch: readonly Waiting[]): boolean {
    return batch.some(({ prepared }) => (this.#tries.get(prepared.id) ?? 0) >= mostTries - 1)
  }

  succeeded(batch: readonly Waiting[]): void {
    this.#condition = { committedAt: this.#clock.monotonic(), failing: undefined }
    this.#failures = 0
    this.#pausedUntil = -Infinity
    for (const { prepared } of batch) this.#tries.delete(prepared.id)
  }

  failed(batch: readonly Waiting[], error: unknown): void {
    const now = this.#clock.monotonic()
    const reason = error instanceof Error ? error.message : String(error)
    const since = this.#condition.failing?.since ?? now
    this.#condition = { ...this.#condition, failing: { since, lastAt: now, reason } }
    this.#failures++
    if (this.#failures > 1)
      this.#pausedUntil = now + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 2, 10))
    this.#count(batch)
  }

  #count(batch: readonly Waiting[]): void {
    for (const { prepared } of batch) {
      const before = this.#tries.get(prepared.id) ?? 0
      this.#tries.delete(prepared.id)
      this.#tries.set(prepared.id, before + 1)
    }
    for (const id of this.#tries.keys()) {
      if (this.#tries.size <= countedResults) return
      this.#tries.delete(id)
    }
  }
}
