import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { givenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useHeldRows } from '../../test-support/held-rows.ts'
import { Bookkeeping } from './bookkeeping.ts'
import { createLease, writeWatermarkOf } from './leadership/store.ts'
import { readWatermark } from './store.ts'

const database = useDatabase()
const rows = useHeldRows(database)
let clock: TestClock
let role: string
let bookkeeping: Bookkeeping

beforeEach(async () => {
  clock = new TestClock()
  role = `role-${randomUUID()}`
  await createLease(rows.db.pool, role, { holder: 'test', expiresAt: 0 })
  bookkeeping = new Bookkeeping({
    clock,
    leadership: {
      write: (work) => rows.db.transaction(work),
      writeWatermark: async (watermark) => void (await writeWatermarkOf(rows.db.pool, { role, epoch: 1, watermark })),
    },
    role,
    progress: () => ({ watermark: clock.now(), inFlight: [] }),
    isInFlight: () => false,
    availability: { outages: () => [], written: () => undefined },
    log: { info: () => undefined, error: () => undefined },
  })
})

const overlapsOf = async (checkId: string) =>
  (
    await rows.db.pool.query<{ n: number }>('SELECT overlap_count AS n FROM check_status WHERE check_id = $1', [
      checkId,
    ])
  ).rows[0]?.n

async function write(): Promise<void> {
  clock.jump(2000)
  await bookkeeping.flush()
}

it('while another session holds the row of a check, the schedule is written down, and its overlaps are counted later', async () => {
  const [held, good] = [await givenCheck(database), await givenCheck(database)]
  await rows.whileHeld(held.id, async () => {
    bookkeeping.overlap(held.id)
    bookkeeping.overlap(good.id)
    await write()
    expect(await readWatermark(rows.db.pool, role)).toBe(clock.now())
    expect(await overlapsOf(good.id)).toBe(1)
    bookkeeping.overlap(held.id)
    await write()
  })
  await write()
  await write()
  expect(await overlapsOf(held.id)).toBe(2)
  expect(await overlapsOf(good.id)).toBe(1)
})
