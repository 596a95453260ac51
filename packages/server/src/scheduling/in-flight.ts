import type { LocationId } from '@vedette/wire'
import type { RunRef } from '../runs.ts'

/** Attempts that ended are remembered this long: a redelivery must not start them again. */
const rememberMs = 2 * 60_000

interface Run {
  checkId: string
  key: string
  dueAt: number
  /** A tick's run: it is in no table until its first result is. */
  isTick: boolean
}

/**
 * Runs between their enqueuing and their final result, retries and their back-off included. A check's next tick is
 * dropped while one is here: the whole check when it runs in turn, the same location when it runs in parallel.
 */
export class InFlight {
  readonly #runs = new Map<string, Run>()
  readonly #byKey = new Map<string, Set<string>>()
  readonly #ended = new Map<string, number>()

  get size(): number {
    return this.#runs.size
  }

  /** Attempts in flight that a tick of this check and location would overlap. */
  overlapped(checkId: string, location: LocationId, runParallel: boolean): ReadonlySet<string> | undefined {
    return this.#byKey.get(keyOf(checkId, location, runParallel))
  }

  /** False when this attempt is in flight already or has ended: then it must not be enqueued. */
  add(ref: RunRef, how: { runParallel: boolean; isTick: boolean }): boolean {
    if (this.#runs.has(ref.attemptId) || this.#ended.has(ref.attemptId)) return false
    const key = keyOf(ref.checkId, ref.location, how.runParallel)
    this.#put(ref.attemptId, { checkId: ref.checkId, key, dueAt: ref.dueAt, isTick: how.isTick })
    return true
  }

  /** The attempt gave way to a retry, which keeps the place of the run; it is in a table from now on. */
  handOver(attempt: string, retry: RunRef, how: { runParallel: boolean; now: number }): void {
    const run = this.#runs.get(attempt)
    this.ended(attempt, how.now)
    if (this.#ended.has(retry.attemptId) || this.#runs.has(retry.attemptId)) return
    this.#put(retry.attemptId, {
      checkId: retry.checkId,
      key: run?.key ?? keyOf(retry.checkId, retry.location, how.runParallel),
      dueAt: retry.dueAt,
      isTick: false,
    })
  }

  hasEnded(attempt: string): boolean {
    return this.#ended.has(attempt)
  }

  ended(attempt: string, now: number): void {
    this.#ended.set(attempt, now)
    this.#drop(attempt)
  }

  /** The check was deleted or deactivated: what waited of it is gone from the queue too. */
  forgetCheck(checkId: string): void {
    for (const [attempt, run] of this.#runs) if (run.checkId === checkId) this.#drop(attempt)
  }

  /** Due time of the oldest tick without a result; Infinity when there is none. */
  oldestTick(): number {
    let oldest = Infinity
    for (const run of this.#runs.values()) if (run.isTick && run.dueAt < oldest) oldest = run.dueAt
    return oldest
  }

  purge(now: number): void {
    for (const [attempt, at] of this.#ended) {
      if (now - at < rememberMs) return
      this.#ended.delete(attempt)
    }
  }

  clear(): void {
    this.#runs.clear()
    this.#byKey.clear()
    this.#ended.clear()
  }

  #put(attempt: string, run: Run): void {
    this.#runs.set(attempt, run)
    const others = this.#byKey.get(run.key)
    if (others === undefined) this.#byKey.set(run.key, new Set([attempt]))
    else others.add(attempt)
  }

  #drop(attempt: string): void {
    const run = this.#runs.get(attempt)
    if (run === undefined) return
    this.#runs.delete(attempt)
    const others = this.#byKey.get(run.key)
    others?.delete(attempt)
    if (others?.size === 0) this.#byKey.delete(run.key)
  }
}

const keyOf = (checkId: string, location: LocationId, runParallel: boolean): string =>
  runParallel ? `${checkId} ${location}` : checkId
