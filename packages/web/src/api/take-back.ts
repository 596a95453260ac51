import type { BulkChange, BulkOutcome } from '@vedette/wire'

/** Sends one change of checks. */
export type SendChange = (change: BulkOutcome['undo'][number]) => Promise<Pick<BulkOutcome, 'refused'>>

/** Checks that could not be made what they were before, and why, each reason once. */
export interface NotTakenBack {
  count: number
  reasons: string[]
}

/** Sends every part of what takes a change back: one that fails keeps no other from it. `now`: the server's time. */
export async function takeBack(undo: BulkOutcome['undo'], send: SendChange, now: number): Promise<NotTakenBack> {
  let count = 0
  const reasons = new Set<string>()
  for (const { ids, change } of undo) {
    try {
      const { refused } = await send({ ids, change: asOfNow(change, now) })
      count += refused.length
      for (const { message } of refused) reasons.add(message)
    } catch (error) {
      count += ids.length
      reasons.add(error instanceof Error ? error.message : String(error))
    }
  }
  return { count, reasons: [...reasons] }
}

/** On its way to the server a mute must not end, or it would be refused and the check stay muted as it is now. */
const onItsWayMs = 1000

/** A mute that would be over by now is none. */
function asOfNow({ mutedUntil, ...change }: BulkChange, now: number): BulkChange {
  if (mutedUntil === undefined) return change
  if (mutedUntil !== null && Date.parse(mutedUntil) <= now + onItsWayMs) return { ...change, muted: false }
  return { ...change, mutedUntil }
}
