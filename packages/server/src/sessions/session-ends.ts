import type { Clock } from '@vedette/wire'

/** What one caller notices of the sessions of a check, from the moment it began to look. */
export interface SessionWatch {
  /** False when there is nothing to wait for: the caller went away, or the server stops. */
  isOpen(): boolean
  /** Resolves when something happened since it was last asked, after this time, or when the watch ends. */
  changed(forMs: number): Promise<void>
  close(): void
}

/** Callers that wait for the end of a session: none holds a database connection meanwhile. */
export interface SessionEnds {
  /** Results of these checks were stored, or sessions of them ended. */
  perhaps(checkIds: Iterable<string>): void
  watch(checkId: string, signal: AbortSignal): SessionWatch
  /** Ends all watches, and those to come at once. */
  stop(): void
}

export function sessionEnds(clock: Pick<Clock, 'after'>): SessionEnds {
  const watched = new Map<string, Set<() => void>>()
  const stop = new AbortController()
  return {
    perhaps(checkIds) {
      for (const checkId of checkIds) for (const notice of watched.get(checkId) ?? []) notice()
    },
    watch(checkId, gone) {
      const signal = AbortSignal.any([gone, stop.signal])
      const ofCheck = watched.get(checkId) ?? new Set()
      let noticed = false
      let wake: (() => void) | undefined
      const notice = () => {
        noticed = true
        wake?.()
      }
      watched.set(checkId, ofCheck.add(notice))
      signal.addEventListener('abort', notice)
      return {
        isOpen: () => !signal.aborted,
        async changed(forMs) {
          if (!noticed && !signal.aborted)
            await new Promise<void>((resolve) => {
              const cancel = clock.after(forMs, resolve)
              wake = () => {
                cancel()
                resolve()
              }
            })
          noticed = false
          wake = undefined
        },
        close() {
          signal.removeEventListener('abort', notice)
          ofCheck.delete(notice)
          if (ofCheck.size === 0 && watched.get(checkId) === ofCheck) watched.delete(checkId)
        },
      }
    },
    stop: () => stop.abort(),
  }
}
