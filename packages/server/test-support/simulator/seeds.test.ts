import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { randomScript } from './random-script.ts'
import { simulate } from './simulate.ts'
import { ciSize, seedsOfFastLane } from './ci-size.ts'

const database = useEmptiedDatabase()
let db: Database
beforeAll(() => {
  db = database.db
})

it.each([1, ...seedsOfFastLane()])(
  'keeps its promises whatever happens, seed %i',
  { timeout: 180_000 },
  async (seed) => {
    const { broken, history, chronicle } = await simulate(db, randomScript(seed, ciSize))
    expect(broken, `seed ${seed}\n${chronicle.events.join('\n')}`).toEqual([])
    // Ensures that the simulation did something.
    expect(history.results.length).toBeGreaterThan(10)
  },
)
