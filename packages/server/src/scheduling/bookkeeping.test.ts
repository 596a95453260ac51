import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import { someRef } from '../../test-support/runs.ts'
import type { RunRef } from '../runs.ts'
import { Bookkeeping } from './bookkeeping.ts'
import type { Leadership } from './leadership/leadership.ts'
import { createLease, readLease, writeWatermarkOf } from './leadership/store.ts'

const database = useDatabase()
/** What happens to the next transaction: it is stored, it fails, or it is stored and its answer is lost. */
let next: 'stored' | 'failed' | 'unanswered'
let clock: TestClock
let check: GivenCheck
let inFlight: RunRef[]
let bookkeeping: Bookkeeping
let role: string
let transactions: number

beforeEach(async () => {
  next = 'stored'
  inFlight = []
  clock = new TestClock()
  check = await givenCheck({ db: database.db, clock })
  role = `role-${randomUUID()}`
  await createLease(database.db.pool, role, { holder: 'test', expiresAt: 0 })
  const endingAsNext = async <T>(store: () => Promise<T>): Promise<T> => {
    const fate = next
    next = 'stored'
    if (fate === 'failed') throw new Error('The connection was refused.')
    const answer = await store()
    if (fate === 'unanswered') throw new Error('The connection ended during COMMIT.')
    return answer
  }
  transactions = 0
  const write: Leadership['write'] = (work) => {
    transactions++
    return endingAsNext(() => database.db.transaction(work))
  }
  const writeWatermark = (watermark: number) =>
    endingAsNext(async () => void (await writeWatermarkOf(database.db.pool, { role, epoch: 1, watermark })))
  bookkeeping = new Bookkeeping({
    clock,
    leadership: { write, writeWatermark },
    role,
    progress: () => ({ watermark: clock.now(), inFlight }),
    isInFlight: (attemptId) => inFlight.some((ref) => ref.attemptId === attemptId),
    availability: { outages: () => [], written: () => undefined },
    log: { info: () => undefined, error: () => undefined },
  })
})

const aTick = () => someRef(clock, { accountId: check.accountId, checkId: check.id })

async function write(fate: typeof next = 'stored'): Promise<void> {
  next = fate
  clock.jump(2000)
  await bookkeeping.flush()
}

const listed = async () =>
  (
    await database.db.pool.query<{ id: string }>('SELECT attempt_id AS id FROM pending_runs WHERE check_id = $1', [
      check.id,
    ])
  ).rows.map(({ id }) => id)

const overlaps = async () =>
  (await database.db.pool.query('SELECT overlap_count AS n FROM check_status WHERE check_id = $1', [check.id])).rows[0]
    ?.n as unknown

it('stores how far the schedule has come in one statement when there is nothing else to store', async () => {
  await write()
  expect(await readLease(database.db.pool, role)).toMatchObject({ watermark: clock.now() })
  expect(transactions).toBe(0)
  bookkeeping.overlap(check.id)
  await write('failed')
  await write()
  expect([await overlaps(), transactions]).toEqual([1, 2])
  await write()
  expect(await readLease(database.db.pool, role)).toMatchObject({ watermark: clock.now() })
  expect(transactions).toBe(2)
})

it('counts an overlap once when the answer to the statement before was lost', async () => {
  await write('unanswered')
  bookkeeping.overlap(check.id)
  await write('unanswered')
  await write('failed')
  await write()
  expect(await overlaps()).toBe(1)
})

describe('a tick in flight whose row was stored by a COMMIT without an answer', () => {
  it('has no row any more once it has ended', async () => {
    inFlight = [aTick()]
    await write('unanswered')
    expect(await listed()).toHaveLength(1)
    inFlight = []
    await write()
    expect(await listed()).toEqual([])
  })

  it('keeps its one row while it is in flight', async () => {
    inFlight = [aTick()]
    await write('unanswered')
    await write()
    expect(await listed()).toEqual(inFlight.map(({ attemptId }) => attemptId))
    inFlight = []
    await write()
    expect(await listed()).toEqual([])
  })
})

describe('overlaps', () => {
  it('are counted once when the answer to the COMMIT is lost', async () => {
    await write()
    bookkeeping.overlap(check.id)
    await write('unanswered')
    await write()
    expect(await overlaps()).toBe(1)
  })

  it('are counted when nothing was stored, also with those that came since', async () => {
    await write()
    bookkeeping.overlap(check.id)
    await write('failed')
    bookkeeping.overlap(check.id)
    await write('unanswered')
    bookkeeping.overlap(check.id)
    await write('failed')
    await write()
    await write()
    expect(await overlaps()).toBe(3)
  })
})

describe('a gap', () => {
  const day = Date.UTC(2026, 0, 5)
  const gaps = async () =>
    (
      await database.db.pool.query<{ from_at: Date; to_at: Date }>(
        "SELECT from_at, to_at FROM coverage_gaps WHERE scope = 'installation' AND from_at >= $1 ORDER BY from_at",
        [new Date(day)],
      )
    ).rows.map(({ from_at, to_at }) => [from_at.getTime() - day, to_at.getTime() - day])
  const gap = (from: number, to: number) => bookkeeping.gap({ from: day + from, to: day + to, reason: 'A test.' })

  beforeEach(() => database.db.pool.query('DELETE FROM coverage_gaps WHERE from_at >= $1', [new Date(day)]))

  it('is stored once when the answer to the COMMIT is lost', async () => {
    gap(1000, 2000)
    await write('unanswered')
    await write()
    expect(await gaps()).toEqual([[1000, 2000]])
  })

  it('leaves out what other gaps hold, as when a clock that was set shows the same time twice', async () => {
    gap(1000, 2000)
    gap(4000, 5000)
    await write()
    gap(500, 6000)
    gap(1500, 1800)
    await write()
    expect(await gaps()).toEqual([
      [500, 999],
      [1000, 2000],
      [2001, 3999],
      [4000, 5000],
      [5001, 6000],
    ])
  })

  it('of one moment is stored', async () => {
    gap(1000, 1000)
    await write()
    expect(await gaps()).toEqual([[1000, 1000]])
  })
})
