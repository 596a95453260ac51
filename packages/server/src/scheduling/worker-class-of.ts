import { checkTypeOf } from '@vedette/checks'
import type { LaneOf } from './store.ts'

/** The lane that the check type itself names. */
export const laneOf: LaneOf = (type) => {
  const mode = checkTypeOf(type)?.mode
  return mode?.kind === 'scheduled' ? mode.lane : undefined
}
