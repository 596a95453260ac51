import type { CancelTimer, Clock } from '@vedette/wire'

/** An agent that calls nothing for this long is hung: a healthy one renews or asks for work every few seconds. */
export const silentAfterMs = 60_000
const lookEveryMs = 5_000
/** A look this late means that this process itself was suspended, and so could hear nobody. */
const suspendedMs = 15_000

interface Watched {
  clock: Clock
  /** Monotonic time of the agent's last call; undefined before the first. */
  heardAt: () => number | undefined
  /** Called once; the watch is over then. */
  onSilent: (silentMs: number) => void
}

/** Watches until the agent is silent. Time in which this process did not run does not count. */
export function watchSilence({ clock, heardAt, onSilent }: Watched): CancelTimer {
  let countedFrom = clock.monotonic()
  let lookedAt = countedFrom
  let cancel: CancelTimer = () => undefined
  const look = () => {
    const now = clock.monotonic()
    if (now - lookedAt > suspendedMs) countedFrom = now
    lookedAt = now
    const silentMs = now - Math.max(countedFrom, heardAt() ?? countedFrom)
    if (silentMs >= silentAfterMs) onSilent(silentMs)
    else cancel = clock.after(lookEveryMs, look)
  }
  cancel = clock.after(lookEveryMs, look)
  return () => cancel()
}
