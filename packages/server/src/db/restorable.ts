const hourMs = 3_600_000

/** How long after it was deleted something can be brought back, with its secrets. */
const restorableMs = 24 * hourMs

/** The clocks of two servers may differ: none purges what another still restores. */
const purgedAfterMs = restorableMs + hourMs

/** What was deleted before this time cannot be brought back. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - restorableMs)

/** Of what was deleted before this time, secrets and subscriptions are removed. */
export const purgedBefore = (now: Date): Date => new Date(now.getTime() - purgedAfterMs)
