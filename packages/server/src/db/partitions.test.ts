import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { dropExpiredPartitions, ensurePartitions, partitionBounds } from './partitions.ts'
import { useEmptyDatabase } from '../../test-support/database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const noon = Date.parse('2031-03-30T12:00:00Z')

const database = useEmptyDatabase()
let db: Database

beforeAll(async () => {
  db = database.db
  await migrate(db)
})

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Results of the last days, as an installation has them that was running. */
async function givenResultsBefore(now: number): Promise<void> {
  await ensurePartitions(db, now)
  await insertResult(now - 1.5 * dayMs)
}

async function dropAll(now: number, retention?: Parameters<typeof dropExpiredPartitions>[2]): Promise<string[]> {
  const all: string[] = []
  for (let dropped; (dropped = await dropExpiredPartitions(db, now, retention)).length > 0;) all.push(...dropped)
  return all
}

const insertResult = (dueAtMs: number) =>
  db.pool.query<{ partition: string }>(
    `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome, has_failures,
       has_errors, is_degraded, over_max, attempts, check_run_id, sequence_id, received_at, late, emulated,
       clock_offset_ms, timing_uncertainty_ms, source, body)
     VALUES ($1, $2, $2, $2, 1, 'eu-west-1', 'FINAL', 'pass', false, false, false, false, 0, 1, $2, now(), false, false,
       0, 0, 'SCHEDULER', '{}') RETURNING tableoid::regclass::text AS partition`,
    [new Date(dueAtMs), randomUUID()],
  )

test('a partition is a day of UTC, whatever the time zone of the session', async () => {
  await db.pool.query("SET timezone = 'Asia/Tokyo'")
  await ensurePartitions(db, noon)
  await db.pool.query('RESET timezone')
  const midnight = Date.parse('2031-03-31T00:00:00Z')
  expect((await insertResult(midnight - 1)).rows[0]?.partition).toBe('check_results_20310330')
  expect((await insertResult(midnight)).rows[0]?.partition).toBe('check_results_20310331')
  expect(partitionBounds(midnight)).toEqual({
    name: 'check_results_20310331',
    from: new Date('2031-03-31T00:00:00Z'),
    to: new Date('2031-04-01T00:00:00Z'),
  })
})

test('the cover reaches a week back and a week ahead, and says so before an insert would fail', async () => {
  const cover = await ensurePartitions(db, noon)
  for (const days of [-7, 0, 7]) {
    expect(cover.covers(noon + days * dayMs)).toBe(true)
    await insertResult(noon + days * dayMs)
  }
  for (const days of [-8, 8]) {
    expect(cover.covers(noon + days * dayMs)).toBe(false)
    await expect(insertResult(noon + days * dayMs)).rejects.toThrow('no partition')
  }
})

test('days that were never made stay uncovered when the plane was off for weeks', async () => {
  await ensurePartitions(db, noon)
  const cover = await ensurePartitions(db, noon + 20 * dayMs)
  expect(cover.covers(noon + 10 * dayMs)).toBe(false)
  expect(cover.covers(noon + 14 * dayMs)).toBe(true)
})

test('two servers may make the same partitions at once', async () => {
  const later = noon + 100 * dayMs
  const [one, other] = await Promise.all([ensurePartitions(db, later), ensurePartitions(db, later)])
  expect(one.covers(later) && other.covers(later)).toBe(true)
})

test('days past retention are dropped with their rows, the last one kept is whole', async () => {
  const start = noon + 200 * dayMs
  await ensurePartitions(db, start)
  await insertResult(start - 2 * dayMs)
  const now = start + 30 * dayMs
  await givenResultsBefore(now)
  const dropped = await dropAll(now)
  expect(dropped).toContain(dayOf(start - dayMs))
  expect(dropped).not.toContain(dayOf(start))
  const cover = await ensurePartitions(db, now)
  expect(cover.covers(start - dayMs)).toBe(false)
  expect(cover.covers(start)).toBe(true)
  const { rows } = await db.pool.query('SELECT count(*) AS n FROM check_results WHERE due_at < $1', [new Date(start)])
  expect(rows).toEqual([{ n: 0 }])
})

test('a day that somebody still has to read is not dropped', async () => {
  const start = noon + 400 * dayMs
  await ensurePartitions(db, start)
  await givenResultsBefore(start + 20 * dayMs)
  const needed = dayOf(start)
  const mayDrop = (day: string) => Promise.resolve(day !== needed)
  const dropped = await dropAll(start + 20 * dayMs, { days: 10, mayDrop })
  expect(dropped).not.toContain(needed)
  expect(dropped).toContain(dayOf(start + dayMs))
  expect(await dropAll(start + 20 * dayMs, { days: 10 })).toEqual([needed])
})

test('of many expired days only the two oldest are dropped at a time', async () => {
  const start = noon + 600 * dayMs
  await ensurePartitions(db, start)
  const now = start + 60 * dayMs
  await givenResultsBefore(now)
  await dropAll(now, { days: 67 })
  expect(await dropExpiredPartitions(db, now)).toEqual([dayOf(start - 7 * dayMs), dayOf(start - 6 * dayMs)])
  expect(await dropExpiredPartitions(db, now)).toEqual([dayOf(start - 5 * dayMs), dayOf(start - 4 * dayMs)])
})

test('a clock that leaps by sixty days drops nothing, also when results come in by that clock', async () => {
  const start = noon + 800 * dayMs
  await givenResultsBefore(start)
  await insertResult(start)
  await dropAll(start)
  const leapt = start + 60 * dayMs
  expect(await dropExpiredPartitions(db, leapt)).toEqual([])
  await ensurePartitions(db, leapt)
  await insertResult(leapt)
  expect(await dropExpiredPartitions(db, leapt + hourMs)).toEqual([])
  expect((await ensurePartitions(db, start)).covers(start - dayMs)).toBe(true)
})

test('after a real pause of sixty days the old results are dropped, once there are results of two days', async () => {
  const start = noon + 1000 * dayMs
  await givenResultsBefore(start)
  await dropAll(start)
  const back = start + 60 * dayMs
  await ensurePartitions(db, back)
  await insertResult(back)
  expect(await dropExpiredPartitions(db, back + hourMs)).toEqual([])
  await insertResult(back + dayMs)
  expect(await dropExpiredPartitions(db, back + dayMs + hourMs)).toHaveLength(2)
})
