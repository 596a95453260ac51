import { beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { useEmptiedDatabase } from '../database.ts'
import { ciSize, seedsOfSlowLane } from './ci-size.ts'
import { randomScript } from './random-script.ts'
import { simulate } from './simulate.ts'

const database = useEmptiedDatabase()
let db: Database
beforeAll(() => {
  db = database.db
})

it.each(seedsOfSlowLane())('keeps its promises whatever happens, seed %i', { timeout: 180_000 }, async (seed) => {
  const { broken, chronicle } = await simulate(db, randomScript(seed, ciSize))
  expect(broken, `seed ${seed}\n${chronicle.events.join('\n')}`).toEqual([])
})
