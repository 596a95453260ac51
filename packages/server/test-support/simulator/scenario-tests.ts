import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { kind } from './ci-size.ts'
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
    it(scenario.name, { timeout: 180_000 }, async () => {
      expect(await runScenario(db, scenario)).toEqual([])
    })
  }
}
