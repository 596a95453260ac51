import { RunCancelled } from './target-error.ts'

/** The one absolute time limit of an attempt: a single timer for all its steps. */
export interface Deadline {
  readonly limitMs: number
  /** `performance.now()` when the attempt began. */
  readonly startedAt: number
  remainingMs(): number
  /**
   * Runs one step. When time is up or the run is cancelled, the step's `stop` is called and its promise rejects, with
   * the error `timedOut` describes or with `RunCancelled`.
   */
  during<T>(step: DeadlineStep<T>): Promise<T>
  /** Frees timer and listener. */
  close(): void
}

interface DeadlineStep<T> {
  start(resolve: (value: T) => void, reject: (error: Error) => void): void
  stop(): void
  timedOut(): Error
}

/** Starts the time limit of an attempt. `limitMs` counts from now. */
export function startDeadline(limitMs: number, signal?: AbortSignal): Deadline {
  const startedAt = performance.now()
  const endsAt = startedAt + limitMs
  const running = new Set<(ended: 'time' | 'cancelled') => void>()
  let ended: 'time' | 'cancelled' | undefined = limitMs <= 0 ? 'time' : undefined
  const end = (why: 'time' | 'cancelled') => {
    ended ??= why
    for (const call of running) call(ended)
    running.clear()
  }
  const onAbort = () => end('cancelled')
  // After a stall of this thread timers come before the answers that arrived meanwhile, which still count.
  const timer = setTimeout(() => setImmediate(() => end('time')), Math.max(0, Math.ceil(limitMs)))
  if (signal?.aborted) ended = 'cancelled'
  else signal?.addEventListener('abort', onAbort, { once: true })

  return {
    limitMs,
    startedAt,
    // Timers of Node may fire a fraction of a millisecond early.
    remainingMs: () => (ended === undefined ? Math.max(0, endsAt - performance.now()) : 0),
    during: (step) =>
      new Promise((resolve, reject) => {
        const stop = (why: 'time' | 'cancelled') => {
          reject(why === 'time' ? step.timedOut() : new RunCancelled())
          step.stop()
        }
        if (ended !== undefined) return stop(ended)
        running.add(stop)
        step.start(
          (value) => {
            running.delete(stop)
            resolve(value)
          },
          (error) => {
            running.delete(stop)
            reject(error)
          },
        )
      }),
    close() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      running.clear()
    },
  }
}
