import type { Database } from '../../src/db/database.ts'
import { wrongAlerts } from './alert-oracle.ts'
import { readHistory, type History } from './history.ts'
import { brokenPromises } from './invariants.ts'
import { World, type Chronicle } from './world.ts'

export interface Simulation {
  chronicle: Chronicle
  history: History
  /** Invariants that do not hold. */
  broken: string[]
}

/** Runs one seed on an otherwise empty database and checks the invariants on what is stored. */
export async function simulate(db: Database, seed: number, size: { checks: number; chaosMinutes: number }) {
  await db.pool.query('TRUNCATE accounts, agent_keys, coverage_gaps, leadership, check_results, check_alerts CASCADE')
  const chronicle = await new World({ db, seed, ...size }).run()
  const history = await readHistory(db)
  const broken = [...brokenPromises(chronicle, history), ...wrongAlerts(chronicle, history)]
  return { chronicle, history, broken } satisfies Simulation
}
