import type { PrivateLocationId } from '@vedette/wire'

/** A private location as the server that leads sees it now. */
export interface LocationLoad {
  location: PrivateLocationId
  waiting: number
  /** Since the oldest of them was due, in milliseconds; 0 when none waits. */
  oldestMs: number
  leased: number
  agents: number
}
