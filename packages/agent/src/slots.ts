import type { Lane } from '@vedette/wire'

/** How many runs of a lane the agent may hold, and whether one more fits. */
export class Slots {
  readonly lane: Lane
  readonly capacity: number
  #taken = 0
  #waiting: (() => void)[] = []

  constructor(lane: Lane, capacity: number) {
    this.lane = lane
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
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  /** Resolves when a slot is free, or the signal aborts. */
  async available(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done)
          resolve()
        }
        signal.addEventListener('abort', done)
        this.#waiting.push(done)
      })
    }
  }
}
