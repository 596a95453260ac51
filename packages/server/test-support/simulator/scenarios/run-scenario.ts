import type { Database } from '../../../src/db/database.ts'
import { simulate, type SimulationOptions } from '../simulate.ts'
import type { Scenario } from './scenario.ts'

/** Runs a scenario and returns what is not as expected. */
export async function runScenario(
  db: Database,
  { script, also }: Scenario,
  options: SimulationOptions = {},
): Promise<string[]> {
  const simulation = await simulate(db, script, options)
  return [...simulation.broken, ...(also?.(simulation) ?? [])]
}
