import type { Database } from '../../src/db/database.ts'
import { wrongAlerts } from './alert-oracle.ts'
import type { Chronicle } from './chronicle.ts'
import { doubledGaps, inventedGaps } from './gap-oracle.ts'
import { readHistory, type History } from './history.ts'
import { brokenInvariants } from './invariants.ts'
import { missedOutages } from './outage-oracle.ts'
import { wronglyHeld } from './parent-oracle.ts'
import type { Script } from './script.ts'
import { wrongSystemAlerts } from './signal-oracle.ts'
import { World } from './world/world.ts'

export interface Simulation {
  chronicle: Chronicle
  history: History
  /** Invariants that do not hold. */
  broken: string[]
}

export interface SimulationOptions {
  /** Gets every event as it happens. */
  onEvent?: (event: string) => void
}

/** Runs one script on an otherwise empty database and checks the invariants on what is stored. */
export async function simulate(db: Database, script: Script, { onEvent }: SimulationOptions = {}): Promise<Simulation> {
  await db.pool.query(
    'TRUNCATE accounts, agent_keys, coverage_gaps, leadership, check_results, check_alerts, check_episodes, system_troubles CASCADE',
  )
  const chronicle = await new World({ db, script, ...(onEvent && { onEvent }) }).run()
  const history = await readHistory(db)
  const broken = [
    ...brokenInvariants(chronicle, history),
    ...wrongAlerts(chronicle, history),
    ...inventedGaps(chronicle, history),
    ...doubledGaps(history),
    ...missedOutages(chronicle, history),
    ...wronglyHeld(chronicle, history),
    ...wrongSystemAlerts(chronicle),
  ]
  return { chronicle, history, broken }
}
