import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { databaseUrlOf, useDatabase } from '../../test-support/database.ts'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'
import { Bookkeeping } from './bookkeeping.ts'
import { createLease } from './leadership/store.ts'
import { readWatermark } from './store.ts'

const database = useDatabase()
const limits = { statementMs: 60_000, lockMs: 100, answerMs: 60_000, connectMs: 5000, idleInTransactionMs: 60_000 }
let db: Database
let clock: TestClock
let role: string
let bookkeeping: Bookkeeping

beforeEach(async () => {
  db = await openExternal(databaseUrlOf(database.db), undefined, limits)
  clock = new TestClock()
  role = `role-${randomUUID()}`
  await createLease(db.pool, role, { holder: 'test', expiresAt: 0 })
  bookkeeping = new Bookkeeping({
    clock,
    leadership: { write: (work) => db.transaction(work) },
    role,
    progress: () => ({ watermark: clock.now(), inFlight: [] }),
    isInFlight: () => false,
    availability: { outages: () => [], written: () => undefined },
    log: { info: () => undefined, error: () => undefined },
  })
})
afterEach(() => db.close())

const overlapsOf = async (checkId: string) =>
  (await db.pool.query<{ n: number }>('SELECT overlap_count AS n FROM check_status WHERE check_id = $1', [checkId]))
    .rows[0]?.n

async function write(): Promise<void> {
  clock.jump(2000)
  await bookkeeping.flush()
}

it('while another session holds the row of a check, the schedule is written down, and its overlaps are counted later', async () => {
  const [held, good] = [await givenCheck(database), await givenCheck(database)]
  await database.db.transaction(async (session) => {
    await session.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [held.id])
    bookkeeping.overlap(held.id)
    bookkeeping.overlap(good.id)
    await write()
    expect(await readWatermark(db.pool, role)).toBe(clock.now())
    expect(await overlapsOf(good.id)).toBe(1)
    bookkeeping.overlap(held.id)
    await write()
  })
  await write()
  await write()
  expect(await overlapsOf(held.id)).toBe(2)
  expect(await overlapsOf(good.id)).toBe(1)
})
