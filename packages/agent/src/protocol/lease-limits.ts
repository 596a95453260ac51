import type { Clock, Job } from '@vedette/wire'

/** A run may wait this long in the agent, on top of its own time limit. Then the server takes it for lost. */
const graceMs = 60_000

/** How long each lease may be renewed, counted from the moment it came. */
export class LeaseLimits {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #ends = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Leases whose limit is known. */
  get size(): number {
    return this.#ends.size
  }

  start({ attemptId, timeoutMs }: Pick<Job, 'attemptId' | 'timeoutMs'>): void {
    this.#forgetOver()
    this.#ends.set(attemptId, this.#clock.monotonic() + timeoutMs + graceMs)
  }

  /** What is over is over without a limit too. While no server answers, nothing else makes it go. */
  #forgetOver(): void {
    for (const attemptId of this.#ends.keys()) {
      if (!this.isOver(attemptId)) return
      this.#ends.delete(attemptId)
    }
  }

  isOver(attemptId: string): boolean {
    return (this.#ends.get(attemptId) ?? Number.NEGATIVE_INFINITY) <= this.#clock.monotonic()
  }

  /** Forgets what the agent holds no longer. */
  keepOnly(attemptIds: readonly string[]): void {
    const held = new Set(attemptIds)
    for (const attemptId of this.#ends.keys()) if (!held.has(attemptId)) this.#ends.delete(attemptId)
  }
}
