/** Measures for how long conditions have held, each by its own name. */
export interface Stopwatches {
  /** Milliseconds for which the condition has held without a break; 0 when it does not hold. */
  held(name: string, holds: boolean): number
  /** Starts all of them anew. */
  reset(): void
}

export function stopwatches(monotonic: () => number): Stopwatches {
  const since = new Map<string, number>()
  return {
    held(name, holds) {
      if (!holds) {
        since.delete(name)
        return 0
      }
      const from = since.get(name) ?? monotonic()
      since.set(name, from)
      return monotonic() - from
    },
    reset: () => since.clear(),
  }
}
