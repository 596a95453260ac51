import type { Log } from '../log.ts'
import { networkSlots } from './network-slots.ts'
import { processBounds } from './process-bounds.ts'

/** Network checks that this process may run at once; the log says what bounds them. `set` is the operator's number. */
export function slotsOf(set: number | null, log: Log): number {
  const { slots, boundBy } = networkSlots(set, processBounds())
  if (boundBy === undefined) log.info({ slots }, 'network checks that may run at once')
  else log.warn({ slots }, `fewer network checks than usual or set may run at once, because ${boundBy}`)
  return slots
}
