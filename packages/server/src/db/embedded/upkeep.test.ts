import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../test-support/clock.ts'
import { openInMemory } from '../../../test-support/database.ts'
import type { Database } from '../database.ts'
import { checkpointWhenGrown, startUpkeep, vacuumWorstTable } from './upkeep.ts'

const megabyte = 1_048_576
let db: Database

// Always the embedded database: a PostgreSQL server has background processes for this.
beforeAll(async () => {
  db = await openInMemory()
  await db.pool.query('CREATE TABLE noise (n int, text text)')
  while (await vacuumWorstTable(db.pool)) continue
})

afterAll(() => db.close())

const writeMegabytes = (count: number) =>
  db.pool.query('INSERT INTO noise SELECT n, repeat(md5(n::text), 8) FROM generate_series(1, $1) n', [count * 3600])

const logSinceCheckpoint = async (): Promise<number> => {
  const { rows } = await db.pool.query<{ bytes: number }>(
    'SELECT (pg_current_wal_insert_lsn() - redo_lsn)::int8 AS bytes FROM pg_control_checkpoint()',
  )
  return rows[0]?.bytes ?? 0
}

const tableSize = async (name: string): Promise<number> =>
  (await db.pool.query<{ size: number }>('SELECT pg_table_size($1::regclass) AS size', [name])).rows[0]?.size ?? 0

test('a checkpoint is written when the log has grown, and not before', async () => {
  await checkpointWhenGrown(db.pool, 0)
  await writeMegabytes(3)
  expect(await checkpointWhenGrown(db.pool, 100 * megabyte)).toBe(false)
  expect(await logSinceCheckpoint()).toBeGreaterThan(megabyte)
  expect(await checkpointWhenGrown(db.pool, megabyte)).toBe(true)
  expect(await logSinceCheckpoint()).toBeLessThan(megabyte)
})

test('a table that is updated over and over stops growing', async () => {
  await db.pool.query('CREATE TABLE busy AS SELECT n, 0 AS value FROM generate_series(1, 2000) n')
  await db.pool.query('CREATE INDEX ON busy (value)')
  const sizes: number[] = []
  for (let round = 0; round < 6; round += 1) {
    await db.pool.query('UPDATE busy SET value = value + 1')
    while (await vacuumWorstTable(db.pool)) continue
    sizes.push(await tableSize('busy'))
  }
  expect(sizes.at(-1)).toBe(sizes[2])
})

test('a large table is vacuumed where rows were added, as soon as they are ten thousand', async () => {
  await db.pool.query('CREATE TABLE wide AS SELECT n FROM generate_series(1, 100000) n')
  while (await vacuumWorstTable(db.pool)) continue
  const add = (count: number) => db.pool.query('INSERT INTO wide SELECT n FROM generate_series(1, $1::int) n', [count])
  await add(9000)
  expect(await vacuumWorstTable(db.pool, megabyte)).toBeUndefined()
  await add(1001)
  expect(await vacuumWorstTable(db.pool, megabyte)).toBe('public.wide')
  const { rows } = await db.pool.query(
    `SELECT relallvisible = relpages AS visible, pg_table_size(oid) > $1 AS large FROM pg_class WHERE relname = 'wide'`,
    [megabyte],
  )
  expect(rows).toEqual([{ visible: true, large: true }])
  expect(await vacuumWorstTable(db.pool, megabyte)).toBeUndefined()
})

test('a large table that was never vacuumed is only sampled', async () => {
  await db.pool.query('CREATE TABLE large AS SELECT n FROM generate_series(1, 5000) n')
  expect(await vacuumWorstTable(db.pool, 8192)).toBe('public.large')
  const { rows } = await db.pool.query(
    `SELECT vacuum_count AS vacuumed, analyze_count AS analyzed FROM pg_stat_user_tables WHERE relname = 'large'`,
  )
  expect(rows).toEqual([{ vacuumed: 0, analyzed: 1 }])
})

test('upkeep goes on by itself until it is stopped', async () => {
  const clock = new TestClock(0, async () => {
    await db.pool.query('SELECT 1')
    await new Promise((resolve) => setImmediate(resolve))
  })
  const upkeep = startUpkeep(db.pool, clock)
  await db.pool.query('CREATE TABLE tended AS SELECT n FROM generate_series(1, 5000) n')
  await db.pool.query('UPDATE tended SET n = n + 1')
  for (let i = 0; i < 5; i += 1) await clock.advance(30_000)
  await upkeep.stop()
  const { rows } = await db.pool.query(
    `SELECT vacuum_count > 0 AS tended FROM pg_stat_user_tables WHERE relname = 'tended'`,
  )
  expect(rows).toEqual([{ tended: true }])
  expect(clock.timers).toBe(0)
})
