import type { Database } from '../../src/db/database.ts'
import { wrongAlerts } from './alert-oracle.ts'
import type { Chronicle } from './chronicle.ts'
import { readHistory, type History } from './history.ts'
import { brokenInvariants } from './invariants.ts'
import type { Script } from './script.ts'
import { World } from './world/world.ts'

export interface Simulation {
  chronicle: Chronicle
  history: History
  /** Invariants that do not hold. */
  broken: string[]
}

/** Runs one script on an otherwise empty database and checks the invariants on what is stored. */
export async function simulate(db: Database, script: Script, onEvent?: (event: string) => void): Promise<Simulation> {
  await db.pool.query('TRUNCATE accounts, agent_keys, coverage_gaps, leadership, check_results, check_alerts CASCADE')
  const chronicle = await new World({ db, script, ...(onEvent && { onEvent }) }).run()
  const history = await readHistory(db)
  const broken = [...brokenInvariants(chronicle, history), ...wrongAlerts(chronicle, history)]
  return { chronicle, history, broken }
}
