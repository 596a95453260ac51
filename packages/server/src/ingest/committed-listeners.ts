import type { CommittedResult } from '../runs.ts'

export type CommittedListener = (results: readonly CommittedResult[]) => void

/** Whoever hears of stored results. One that throws keeps none of the others from hearing of them. */
export class CommittedListeners {
  readonly #listeners = new Set<CommittedListener>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Returns a function that removes the listener. */
  add(listener: CommittedListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  announce(committed: readonly CommittedResult[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
