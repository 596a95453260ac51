import type { LiveEvent } from '@vedette/wire'

type Listener = (event: LiveEvent) => void

/** Passes committed changes to the open pages of an account. Nothing is kept: a page that reconnects reads again. */
export interface LiveHub {
  publish(accountId: string, event: LiveEvent): void
  /** For the pages of all accounts. */
  publishToAll(event: LiveEvent): void
  /** Returns a function that ends the subscription. */
  subscribe(accountId: string, listener: Listener): () => void
  open(): number
}

export function liveHub(): LiveHub {
  const listeners = new Map<string, Set<Listener>>()
  return {
    publish(accountId, event) {
      for (const listener of listeners.get(accountId) ?? []) listener(event)
    },
    publishToAll(event) {
      for (const ofAccount of listeners.values()) for (const listener of ofAccount) listener(event)
    },
    subscribe(accountId, listener) {
      const ofAccount = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, ofAccount.add(listener))
      return () => {
        ofAccount.delete(listener)
        if (ofAccount.size === 0) listeners.delete(accountId)
      }
    },
    open: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
  }
}
