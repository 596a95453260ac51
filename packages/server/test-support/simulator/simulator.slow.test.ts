import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { simulate } from './simulate.ts'

const database = useEmptiedDatabase()
let db: Database
beforeAll(() => {
  db = database.db
})

const size = { checks: 8, chaosMinutes: 20 }
const small = { checks: 5, chaosMinutes: 8 }
/** Seeds that once found a bug, except the first four. */
const fixed = [5, 10, 21, 34, 103, 107, 119, 702, 732, 745, 855, 124_699_605]
const fresh = Array.from({ length: 8 }, () => Math.floor(Math.random() * 2 ** 31))

it.each([2, ...fresh.slice(0, 1)])(
  'keeps its promises in a small world, seed %i',
  { timeout: 60_000 },
  async (seed) => {
    const { broken, history, chronicle } = await simulate(db, seed, small)
    expect(broken, `seed ${seed}`).toEqual([])
    // Ensures that the simulation did something.
    expect(chronicle.kills).toBeGreaterThan(0)
    expect(history.results.length).toBeGreaterThan(100)
  },
)

it.each([...fixed, ...fresh])('keeps its promises for a long time, seed %i', { timeout: 180_000 }, async (seed) => {
  const { broken, chronicle } = await simulate(db, seed, size)
  expect(broken, `seed ${seed}\n${chronicle.events.join('\n')}`).toEqual([])
})
