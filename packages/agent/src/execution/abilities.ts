import { checkTypes } from '@vedette/checks'
import type { Lane } from '@vedette/wire'

/** Runs at once, unless the operator sets a number. Network runs mostly wait; the others take memory and processors. */
const laneDefaults: Record<Lane, number> = { network: 100, script: 4, browser: 1 }

export interface Abilities {
  checkTypes: string[]
  capabilities: string[]
  capacity: Partial<Record<Lane, number>>
}

/** What this agent can do, from the check types it is built with. */
export function abilitiesOf(concurrency: number | null): Abilities {
  const scheduled = checkTypes.filter(({ mode }) => mode.kind === 'scheduled')
  const capacity: Partial<Record<Lane, number>> = {}
  for (const { mode } of scheduled) {
    if (mode.kind === 'scheduled') capacity[mode.lane] = concurrency ?? laneDefaults[mode.lane]
  }
  return { checkTypes: scheduled.map(({ type }) => type), capabilities: [], capacity }
}
