import { checkTypes, runModeOf } from '@vedette/checks'
import type { WorkerClass } from '@vedette/wire'

/** Concurrent runs that take memory and processors, unless the operator sets a number. */
const defaultCapacity: Record<Exclude<WorkerClass, 'network'>, number> = { script: 4, browser: 1 }

export interface Abilities {
  checkTypes: string[]
  capabilities: string[]
  capacity: Partial<Record<WorkerClass, number>>
}

/**
 * What this agent can do, from the check types it is built with and what its machine is capable of. `networkSlots` are its
 * network runs at once.
 */
export function abilitiesOf(
  concurrency: number | null,
  networkSlots: number,
  capabilities: readonly string[] = [],
): Abilities {
  const checkTypeNames: string[] = []
  const capacity: Partial<Record<WorkerClass, number>> = {}
  for (const type of checkTypes) {
    const workerClass = runModeOf(type)?.workerClass
    if (workerClass === undefined) continue
    checkTypeNames.push(type.type)
    capacity[workerClass] = workerClass === 'network' ? networkSlots : (concurrency ?? defaultCapacity[workerClass])
  }
  return { checkTypes: checkTypeNames, capabilities: [...capabilities], capacity }
}
