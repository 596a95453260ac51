import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/db/database.ts'
import type { Size } from './random-script.ts'
import { seededRandom } from './random.ts'

/** The database of this test process. */
export const kind: Database['kind'] = process.env['TEST_DATABASE_URL'] ? 'postgresql' : 'embedded'

/** Small enough that the seeds of all lanes take three minutes together; `npm run simulate` is for larger worlds. */
export const ciSize: Size = { checks: 4, minutes: 4, servers: kind === 'postgresql' ? 2 : 1 }

/** PostgreSQL has the fast lane alone; the embedded database runs most of its seeds in the slow lane. */
const ofFastLane = kind === 'postgresql' ? 30 : 3
const hoursAt = 10
const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * Thirty other seeds with every commit, and the same ones wherever it is tested: what broke can be run again. One has a
 * world of hours; not on PostgreSQL, where it would take as long as all others.
 */
function seedsOfCommit(): number[] {
  const asked = spawnSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], { encoding: 'utf8', cwd: here })
  // Outside a clone they are other ones each time.
  const commit = asked.status === 0 ? asked.stdout : randomBytes(4).toString('hex')
  const random = seededRandom(Number.parseInt(commit.slice(0, 8), 16))
  return Array.from({ length: 30 }, (_, nth) => {
    const hasHours = nth === hoursAt && kind === 'embedded'
    return random.between(0, 2 ** 27 - 1) * 10 + (hasHours ? 0 : 1 + (nth % 9))
  })
}

export const seedsOfFastLane = (): number[] => seedsOfCommit().slice(0, ofFastLane)
export const seedsOfSlowLane = (): number[] => seedsOfCommit().slice(ofFastLane)
