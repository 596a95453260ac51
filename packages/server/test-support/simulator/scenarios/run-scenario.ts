import type { Database } from '../../../src/db/database.ts'
import { simulate, type SimulationOptions } from '../simulate.ts'
import type { Scenario } from './scenario.ts'

/** Runs a scenario and returns what is not as expected. No defect is tolerated. */
export async function runScenario(
  db: Database,
  { script, also }: Scenario,
  options: Pick<SimulationOptions, 'onEvent'> = {},
): Promise<string[]> {
  const simulation = await simulate(db, script, { ...options, tolerated: new Set() })
  return [...simulation.broken, ...(also?.(simulation) ?? [])]
}
