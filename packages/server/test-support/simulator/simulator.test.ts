import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { simulate } from './simulate.ts'

const database = useEmptiedDatabase()
let db: Database
beforeAll(() => {
  db = database.db
})

const size = { checks: 5, chaosMinutes: 8 }
/** A fixed seed; the slow tests run many, and new ones. */
const seed = 1

it('keeps its promises whatever happens', { timeout: 60_000 }, async () => {
  const { broken, history, chronicle } = await simulate(db, seed, size)
  expect(broken, `seed ${seed}`).toEqual([])
  // Ensures that the simulation did something.
  expect(chronicle.kills).toBeGreaterThan(0)
  expect(history.results.length).toBeGreaterThan(100)
})
