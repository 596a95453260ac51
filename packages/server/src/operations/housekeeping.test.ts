import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { memoryAssets } from '../../test-support/assets.ts'
import { TestClock } from '../../test-support/clock.ts'
import { givenAccount, useEmptyDatabase } from '../../test-support/database.ts'
import type { AssetPlace } from '../assets/asset-store.ts'
import { insertAsset } from '../assets/index.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { ensurePartitions, partitionBounds } from '../db/partitions.ts'
import { Housekeeping } from './housekeeping.ts'

const database = useEmptyDatabase()
const dayMs = 86_400_000
let running: Housekeeping | undefined
const errors: string[] = []
const assets = memoryAssets()
const log = { info: () => undefined, error: (_: object, text: string) => void errors.push(text) }

beforeAll(async () => void (await migrate(database.db)))
afterEach(async () => {
  await running?.stop()
  running = undefined
  errors.length = 0
})

const given = (db: Database, clock: TestClock) => (running = new Housekeeping({ db, clock, log, assets }))

/** An installation that has run for more than a month. */
async function givenExpiredDays(now: number): Promise<string> {
  await dropDays()
  await ensurePartitions(database.db, now - 40 * dayMs)
  await ensurePartitions(database.db, now)
  await database.db.pool.query(
    `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome, has_failures,
       has_errors, is_degraded, over_max, attempts, check_run_id, sequence_id, received_at, late, emulated,
       clock_offset_ms, timing_uncertainty_ms, source, body)
     VALUES ($1, $2, $2, $2, 1, 'eu-west-1', 'FINAL', 'pass', false, false, false, false, 0, 1, $2, now(), false, false,
       0, 0, 'SCHEDULER', '{}')`,
    [new Date(now - 1.5 * dayMs), randomUUID()],
  )
  return partitionBounds(now - 47 * dayMs).name
}

/** Leaves no day of an earlier test, which would be dropped first. */
async function dropDays(): Promise<void> {
  const { rows } = await database.db.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'check_results'::regclass`,
  )
  for (const { name } of rows) await database.db.pool.query(`DROP TABLE ${name}`)
}

const exists = async (table: string) =>
  (await database.db.pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table])).rows[0]
    ?.there

/** The database, with other transactions than the real ones. */
const withTransaction = (transaction: Database['transaction']): Database => ({ ...database.db, transaction })

test('a server starts while what is past retention is still being deleted', async () => {
  const clock = new TestClock(Date.UTC(2041, 4, 20, 12))
  const expired = await givenExpiredDays(clock.now())
  let go = () => {}
  const gate = new Promise<void>((resolve) => (go = resolve))
  const db = withTransaction(async (work, options) => {
    if (options?.limitMs !== undefined) await gate
    return database.db.transaction(work, options)
  })
  await given(db, clock).start()
  expect(await exists(expired)).toBe(true)
  go()
  await running?.stop()
  expect(await exists(expired)).toBe(false)
})

test('a drop that fails refuses no start, is logged and tried again', async () => {
  const clock = new TestClock(Date.UTC(2043, 4, 20, 12), () => new Promise((resolve) => setTimeout(resolve, 50)))
  const expired = await givenExpiredDays(clock.now())
  let refusals = 1
  const db = withTransaction((work, options) =>
    options?.limitMs !== undefined && refusals-- > 0
      ? Promise.reject(new Error('canceling statement due to lock timeout'))
      : database.db.transaction(work, options),
  )
  await given(db, clock).start()
  while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(errors).toEqual(['Results past retention could not be deleted; trying again in an hour.'])
  expect(await exists(expired)).toBe(true)
  await clock.advance(3_600_000)
  await running?.stop()
  expect(await exists(expired)).toBe(false)
})

test('days to come that cannot be created now refuse no start, a missing day of today does', async () => {
  const now = Date.UTC(2045, 4, 20, 12)
  await ensurePartitions(database.db, now)
  const refusing = withTransaction(() => Promise.reject(new Error('canceling statement due to statement timeout')))
  await given(refusing, new TestClock(now + dayMs)).start()
  expect(errors[0]).toMatch(/^Partitions of the next days could not be created/)
  await expect(given(refusing, new TestClock(now + 30 * dayMs)).start()).rejects.toThrow('statement timeout')
})

test('files go with the day of their result, and not before', async () => {
  const clock = new TestClock(Date.UTC(2046, 4, 20, 12))
  await givenExpiredDays(clock.now())
  const [gone, kept] = await Promise.all([47, 3].map((days) => givenAsset(clock.now() - days * dayMs)))
  await given(database.db, clock).start()
  await running?.stop()
  const { rows } = await database.db.pool.query<{ result_id: string }>('SELECT result_id FROM result_assets')
  expect(rows.map(({ result_id }) => result_id)).toEqual([kept?.resultId])
  expect(gone && (await assets.read(gone))).toBeUndefined()
  expect(kept && (await assets.read(kept))).toBeDefined()
})

async function givenAsset(dueAt: number): Promise<AssetPlace> {
  const place = { dueAt, resultId: randomUUID(), name: 'capture.pcap' }
  const accountId = await givenAccount(database.db)
  const asset = { name: place.name, type: 'pcap' as const, contentType: 'application/vnd.tcpdump.pcap', bytes: 1 }
  await insertAsset(
    database.db.pool,
    { ...place, accountId, checkId: randomUUID(), sequenceId: randomUUID() },
    asset,
    dueAt,
  )
  await assets.put(place, Buffer.from('x'))
  return place
}

// Only with PostgreSQL: on the single connection of the embedded database nobody else reads.
if (process.env['TEST_DATABASE_URL']) {
  test('a server starts while somebody reads results for long', async () => {
    const clock = new TestClock(Date.UTC(2047, 4, 20, 12))
    const expired = await givenExpiredDays(clock.now())
    await database.db.transaction(async (client) => {
      await client.query(`SELECT count(*) FROM ${expired}`)
      const from = performance.now()
      await given(database.db, clock).start()
      expect(performance.now() - from).toBeLessThan(2000)
      await running?.stop()
    })
    expect(errors).toEqual(['Results past retention could not be deleted; trying again in an hour.'])
    expect(await exists(expired)).toBe(true)
  })
}
