/** How long after it was deleted something can be brought back, with its secrets. */
const restorableMs = 24 * 3_600_000

/** What was deleted before this time is gone for good. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - restorableMs)
