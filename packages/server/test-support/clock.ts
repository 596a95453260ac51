import type { CancelTimer, Clock } from '@vedette/wire'

interface Timer {
  at: number
  order: number
  call: () => void
}

/** Time that moves only by calls: timers fire in order of their time, with `now` at that time. */
export class TestClock implements Clock {
  #monotonic = 0
  /** Wall time is the monotonic time and this. */
  #offset: number
  #order = 0
  readonly #timers = new Set<Timer>()
  #settle: () => Promise<void>

  /** `settle` waits until the work that a timer started has ended; with a database, until its queries have ended. */
  constructor(startMs = Date.UTC(2026, 0, 5, 12), settle: () => Promise<void> = letPromisesRun) {
    this.#offset = startMs
    this.#settle = settle
  }

  now(): number {
    return this.#offset + this.#monotonic
  }

  monotonic(): number {
    return this.#monotonic
  }

  after(delayMs: number, call: () => void): CancelTimer {
    const timer = { at: this.#monotonic + Math.max(0, delayMs), order: this.#order++, call }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Replaces `settle`, for another database. */
  settleBy(settle: () => Promise<void>): void {
    this.#settle = settle
  }

  get timers(): number {
    return this.#timers.size
  }

  /** Moves time and fires the timers that fall due; between two timers all promises that can settle do. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms
    await this.#settle()
    for (let next = this.#nextTimer(end); next !== undefined; next = this.#nextTimer(end)) {
      this.#timers.delete(next)
      this.#monotonic = Math.max(this.#monotonic, next.at)
      next.call()
      await this.#settle()
    }
    // A jump during the advance may have gone further.
    this.#monotonic = Math.max(this.#monotonic, end)
  }

  /** Moves time without firing timers, as for a process that was stopped; overdue timers fire with the next advance. */
  jump(ms: number): void {
    this.#monotonic += ms
  }

  /** Moves wall time only, as when the host's clock is set. */
  setWall(byMs: number): void {
    this.#offset += byMs
  }

  #nextTimer(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at > end) continue
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
    }
    return next
  }
}

/** Lets promise chains and finished I/O run. */
export async function letPromisesRun(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
