import type { WorkerClass } from '@vedette/wire'
import { Waiters } from '../waiters.ts'

/** Most runs asked for at once: more would wait here for their start although another agent may be free. */
const mostAtOnce = 500

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

  /** Runs to ask for now. */
  get free(): number {
    return Math.max(0, Math.min(this.limit - this.#taken, mostAtOnce))
  }

  /** Whether more than half of the places are taken. */
  get isCrowded(): boolean {
    return this.#taken * 2 > this.limit
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
