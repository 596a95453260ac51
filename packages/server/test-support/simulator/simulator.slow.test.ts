import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openTestDatabase } from '../database.ts'
import { simulate } from './simulate.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const size = { checks: 8, chaosMinutes: 20 }
/** All but the first four once found something. */
const fixed = [5, 10, 21, 34, 103, 107, 119, 702, 732, 745, 855, 124_699_605]
const fresh = Array.from({ length: 8 }, () => Math.floor(Math.random() * 2 ** 31))

it.each([...fixed, ...fresh])('keeps its promises for a long time, seed %i', { timeout: 180_000 }, async (seed) => {
  const { broken, chronicle } = await simulate(db, seed, size)
  expect(broken, `seed ${seed}\n${chronicle.events.join('\n')}`).toEqual([])
})
