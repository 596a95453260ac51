/** Callers that wait for a change. Each checks for itself whether the change is the one it waits for. */
export class Waiters {
  #waiting = new Set<() => void>()

  /** Resolves at the next change, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done)
        this.#waiting.delete(done)
        resolve()
      }
      signal.addEventListener('abort', done)
      this.#waiting.add(done)
    })
  }

  wake(): void {
    for (const resume of this.#waiting) resume()
  }
}
