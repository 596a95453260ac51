import type { WorkerClass } from '@vedette/wire'
import { Waiters } from '../waiters.ts'

/** How many runs of a worker class the agent may hold, and whether one more fits. */
export class Slots {
  readonly workerClass: WorkerClass
  readonly capacity: number
  #taken = 0
  readonly #waiters = new Waiters()

  constructor(workerClass: WorkerClass, capacity: number) {
    this.workerClass = workerClass
    this.capacity = capacity
  }

  get free(): number {
    return Math.max(0, this.capacity - this.#taken)
  }

  take(): void {
    this.#taken += 1
  }

  give(): void {
    this.#taken -= 1
    this.#waiters.wake()
  }

  /** Resolves when a slot is free, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) await this.#waiters.wait(signal)
  }
}
