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
/** How long no result of a check is tried after one alone failed at the limit of a statement or a lock. */
const heldMs = 30_000
/** Longer than until the next try of any result: a check that nobody reports any more keeps nothing failing. */
const stuckMs = 5 * 60_000
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
  /** Checks of which a result alone could not be stored, and the monotonic times of that and until which it waits. */
  readonly #stuck = new Map<string, { at: number; heldUntil: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get condition(): IngestCondition {
    return this.#condition
  }

  get isPaused(): boolean {
    return this.#clock.monotonic() < this.#pausedUntil
  }

  /** True while no result of the check is tried, so that the others are stored in the meantime. */
  isHeld(checkId: string): boolean {
    return this.#clock.monotonic() < (this.#stuck.get(checkId)?.heldUntil ?? -Infinity)
  }

  /** True when one of the batch must not hold up the others any more. */
  isLastTry(batch: readonly Waiting[]): boolean {
    return batch.some(
      ({ prepared }) =>
        (this.#tries.get(prepared.id) ?? 0) >= mostTries - 1 || this.#stuck.has(prepared.incoming.identity.checkId),
    )
  }

  succeeded(batch: readonly Waiting[]): void {
    for (const { prepared } of batch) {
      this.#tries.delete(prepared.id)
      this.#stuck.delete(prepared.incoming.identity.checkId)
    }
    const failing = this.#isAnyStuck() ? this.#condition.failing : undefined
    this.#condition = { committedAt: this.#clock.monotonic(), failing }
    this.#failures = 0
    this.#pausedUntil = -Infinity
  }

  /** A result failed alone. While its check is stuck, storing counts as failing although other results are stored. */
  failedAlone({ prepared }: Waiting, isHeld: boolean): void {
    const at = this.#clock.monotonic()
    this.#stuck.set(prepared.incoming.identity.checkId, { at, heldUntil: isHeld ? at + heldMs : at })
  }

  failed(batch: readonly Waiting[], reason: string): void {
    const now = this.#clock.monotonic()
    const since = this.#condition.failing?.since ?? now
    this.#condition = { ...this.#condition, failing: { since, lastAt: now, reason } }
    this.#failures++
    if (this.#failures > 1)
      this.#pausedUntil = now + Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#failures - 2, 10))
    this.#count(batch)
  }

  #isAnyStuck(): boolean {
    const now = this.#clock.monotonic()
    for (const [checkId, { at }] of this.#stuck) if (at <= now - stuckMs) this.#stuck.delete(checkId)
    return this.#stuck.size > 0
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
