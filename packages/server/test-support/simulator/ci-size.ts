import type { Database } from '../../src/db/database.ts'
import type { Size } from './random-script.ts'

/** The database of this test process. */
export const kind: Database['kind'] = process.env['TEST_DATABASE_URL'] ? 'postgresql' : 'embedded'

/** Small enough that the seeds of all lanes take three minutes together; `npm run simulate` is for larger worlds. */
export const ciSize: Size = { checks: 4, minutes: 4, servers: kind === 'postgresql' ? 2 : 1 }

/** Thirty on each database. PostgreSQL has the fast lane alone; the embedded one runs most of them in the slow lane. */
export const seedsOfFastLane = kind === 'postgresql' ? 30 : 3
export const seedsOfSlowLane = kind === 'postgresql' ? 0 : 27

/** Of thirty, one has a world of hours; not on PostgreSQL, where it would take as long as all others. */
export const freshSeeds = (count: number): number[] =>
  Array.from({ length: count }, (_, nth) => {
    const hasHours = nth === 10 && kind === 'embedded'
    return Math.floor(Math.random() * 2 ** 27) * 10 + (hasHours ? 0 : 1 + (nth % 9))
  })
