import type { CancelTimer, Clock } from '@vedette/wire'

interface Timer {
  at: number
  order: number
  call: () => void
}

/** Time that moves only by calls: timers fire in order of their time, with `now` at that time. */
export class TestClock implements Clock {
  #now: number
  #order = 0
  readonly #timers = new Set<Timer>()
  #settle: () => Promise<void>

  /** `settle` waits until the work that a timer started has ended; with a database, until its queries have ended. */
  constructor(startMs = Date.UTC(2026, 0, 5, 12), settle: () => Promise<void> = letPromisesRun) {
    this.#now = startMs
    this.#settle = settle
  }

  now(): number {
    return this.#now
  }

  after(delayMs: number, call: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, call }
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
    const end = this.#now + ms
    await this.#settle()
    for (let next = this.#nextTimer(end); next !== undefined; next = this.#nextTimer(end)) {
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.call()
      await this.#settle()
    }
    // A jump during the advance may have gone further.
    this.#now = Math.max(this.#now, end)
  }

  /** Moves time without firing timers, as for a suspended host or a corrected clock. */
  jump(ms: number): void {
    this.#now += ms
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
