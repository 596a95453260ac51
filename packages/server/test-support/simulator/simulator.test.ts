import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openTestDatabase } from '../database.ts'
import { simulate } from './simulate.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const size = { checks: 5, chaosMinutes: 8 }
const fixed = [1, 2]
const fresh = [Math.floor(Math.random() * 2 ** 31)]

it.each([...fixed, ...fresh])('keeps its promises whatever happens, seed %i', { timeout: 60_000 }, async (seed) => {
  const { broken, history, chronicle } = await simulate(db, seed, size)
  expect(broken, `seed ${seed}`).toEqual([])
  // A world in which nothing happens proves nothing.
  expect(chronicle.kills).toBeGreaterThan(0)
  expect(history.results.length).toBeGreaterThan(100)
})
