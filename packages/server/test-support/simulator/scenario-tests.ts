import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { kind } from './ci-size.ts'
import { openDefects } from './open-defects.ts'
import { runScenario } from './scenarios/run-scenario.ts'
import { scenariosFor } from './scenarios/scenarios.ts'

/** Declares a test for each scenario that can happen on the database of this test process. */
export function testScenarios(): void {
  const database = useEmptiedDatabase()
  let db: Database
  beforeAll(() => {
    db = database.db
  })
  for (const scenario of scenariosFor(kind)) {
    // A known defect: the test turns red when it is mended, until its entry is deleted from the list.
    const isKnown = scenario.shows !== undefined && openDefects.has(scenario.shows)
    const expectation = isKnown ? it.fails : it
    expectation(scenario.name, { timeout: 180_000 }, async () => {
      expect(await runScenario(db, scenario)).toEqual([])
    })
  }
}
