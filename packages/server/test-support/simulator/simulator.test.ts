import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { openDefects } from './open-defects.ts'
import { randomScript } from './random-script.ts'
import { runScenario } from './scenarios/run-scenario.ts'
import { scenariosFor } from './scenarios/scenarios.ts'
import { simulate } from './simulate.ts'
import { ciSize, freshSeeds, kind, seedsOfFastLane } from './ci-size.ts'

const database = useEmptiedDatabase()
let db: Database
beforeAll(() => {
  db = database.db
})

describe('what happened once', () => {
  for (const scenario of scenariosFor(kind)) {
    // A known defect: the test turns red when it is mended, until its entry is deleted from the list.
    const isKnown = scenario.shows !== undefined && openDefects.has(scenario.shows)
    const expectation = isKnown ? it.fails : it
    expectation(scenario.name, { timeout: 180_000 }, async () => {
      expect(await runScenario(db, scenario)).toEqual([])
    })
  }
})

it.each([1, ...freshSeeds(seedsOfFastLane)])(
  'keeps its promises whatever happens, seed %i',
  { timeout: 180_000 },
  async (seed) => {
    const { broken, history, chronicle } = await simulate(db, randomScript(seed, ciSize))
    expect(broken, `seed ${seed}\n${chronicle.events.join('\n')}`).toEqual([])
    // Ensures that the simulation did something.
    expect(history.results.length).toBeGreaterThan(10)
  },
)
