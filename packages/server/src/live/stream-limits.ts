import { unavailable } from '../api-error.ts'

/** How many streams may be open at once: each takes memory for as long as it is open. */
export interface StreamLimits {
  /** A person has many tabs, and a wall of displays shares a key. */
  perActor: number
  perAccount: number
}

export const defaultStreamLimits: StreamLimits = { perActor: 50, perAccount: 500 }

const retryAfterSeconds = 30

/** Counts the streams that are open. */
export interface OpenStreams {
  /** Throws a 503 when there are as many as there may be. Returns a function to call once when the stream has ended. */
  add(principal: { actor: string; accountId: string }): () => void
}

export function openStreams({ perActor, perAccount }: StreamLimits): OpenStreams {
  const [ofActors, ofAccounts] = [new Map<string, number>(), new Map<string, number>()]
  return {
    add({ actor, accountId }) {
      if ((ofActors.get(actor) ?? 0) >= perActor) throw refused('This key or user', perActor)
      if ((ofAccounts.get(accountId) ?? 0) >= perAccount) throw refused('The account', perAccount)
      change(ofActors, actor, 1)
      change(ofAccounts, accountId, 1)
      return () => {
        change(ofActors, actor, -1)
        change(ofAccounts, accountId, -1)
      }
    },
  }
}

const refused = (who: string, limit: number) =>
  unavailable(
    `${who} has ${limit} streams of live events open, and may not have more: close one, then open this again.`,
    retryAfterSeconds,
  )

function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
