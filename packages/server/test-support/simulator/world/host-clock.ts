import type { Clock } from '@vedette/wire'

/** The clock of one host: its wall clock is set by itself, apart from those of the other hosts. */
export class HostClock implements Clock {
  readonly #clock: Clock
  #aheadMs: number

  constructor(clock: Clock, aheadMs = 0) {
    this.#clock = clock
    this.#aheadMs = aheadMs
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  after(delayMs: number, call: () => void): () => void {
    return this.#clock.after(delayMs, call)
  }

  setWall(byMs: number): void {
    this.#aheadMs += byMs
  }
}
