import { checkTypes } from '@vedette/checks'
import type { WorkerClass } from '@vedette/wire'

/** Concurrent runs that take memory and processors, unless the operator sets a number. */
const defaultCapacity: Record<Exclude<WorkerClass, 'network'>, number> = { script: 4, browser: 1 }

export interface Abilities {
  checkTypes: string[]
  capabilities: string[]
  capacity: Partial<Record<WorkerClass, number>>
}

/** What this agent can do, from the check types it is built with. `networkSlots` are its network runs at once. */
export function abilitiesOf(concurrency: number | null, networkSlots: number): Abilities {
  const scheduled = checkTypes.filter(({ mode }) => mode.kind === 'scheduled')
  const capacity: Partial<Record<WorkerClass, number>> = {}
  for (const { mode } of scheduled) {
    if (mode.kind !== 'scheduled') continue
    const { workerClass } = mode
    capacity[workerClass] = workerClass === 'network' ? networkSlots : (concurrency ?? defaultCapacity[workerClass])
  }
  return { checkTypes: scheduled.map(({ type }) => type), capabilities: [], capacity }
}
