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
/** One that is the same every time; the slow tests take many, and fresh ones. */
const seed = 1

it('keeps its promises whatever happens', { timeout: 60_000 }, async () => {
  const { broken, history, chronicle } = await simulate(db, seed, size)
  expect(broken, `seed ${seed}`).toEqual([])
  // A world in which nothing happens proves nothing.
  expect(chronicle.kills).toBeGreaterThan(0)
  expect(history.results.length).toBeGreaterThan(100)
})
