import type { WorkerClass } from '@vedette/wire'
import { Waiters } from '../waiters.ts'

/** How many runs of a worker class the agent may hold, and whether one more fits. */
export class Capacity {
  readonly workerClass: WorkerClass
  readonly limit: number
  #taken = 0
  readonly #waiters = new Waiters()

  constructor(workerClass: WorkerClass, limit: number) {
    this.workerClass = workerClass
    this.limit = limit
  }

  get free(): number {
    return Math.max(0, this.limit - this.#taken)
  }

  take(): void {
    this.#taken += 1
  }

  give(): void {
    this.#taken -= 1
    this.#waiters.wake()
  }

  /** Resolves when there is free capacity, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) await this.#waiters.wait(signal)
  }
}
