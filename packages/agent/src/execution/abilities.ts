import { checkTypes } from '@vedette/checks'
import type { WorkerClass } from '@vedette/wire'

/**
 * Concurrent runs, unless the operator sets a number. Network runs mostly wait; the others take memory and processors.
 */
const defaultCapacity: Record<WorkerClass, number> = { network: 100, script: 4, browser: 1 }

export interface Abilities {
  checkTypes: string[]
  capabilities: string[]
  capacity: Partial<Record<WorkerClass, number>>
}

/** What this agent can do, from the check types it is built with. */
export function abilitiesOf(concurrency: number | null): Abilities {
  const scheduled = checkTypes.filter(({ mode }) => mode.kind === 'scheduled')
  const capacity: Partial<Record<WorkerClass, number>> = {}
  for (const { mode } of scheduled) {
    if (mode.kind === 'scheduled') capacity[mode.workerClass] = concurrency ?? defaultCapacity[mode.workerClass]
  }
  return { checkTypes: scheduled.map(({ type }) => type), capabilities: [], capacity }
}
