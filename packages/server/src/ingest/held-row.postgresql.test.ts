import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { databaseUrlOf, useEmptiedDatabase } from '../../test-support/database.ts'
import { incomingResult } from '../../test-support/results.ts'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'
import { Ingest } from './ingest.ts'

const database = useEmptiedDatabase()
/** A statement may take so long that only the limit of locks ends a wait within the time of a test. */
const limits = { statementMs: 60_000, lockMs: 100, answerMs: 60_000, connectMs: 5000, idleInTransactionMs: 60_000 }
const now = Math.floor(Date.now() / 1000) * 1000
let db: Database
let clock: TestClock
let ingest: Ingest

beforeEach(async () => {
  db = await openExternal(databaseUrlOf(database.db), undefined, limits)
  clock = new TestClock(now)
  ingest = new Ingest({ db, clock })
})
afterEach(async () => {
  await ingest.stop()
  await db.close()
})

/** Offers the results, and those that were not taken again every six seconds, as an agent does. */
async function deliver(results: Parameters<Ingest['accept']>[0], times: number): Promise<string[]> {
  const all: string[] = []
  for (let time = 0; time < times; time++) {
    await clock.advance(6000)
    const answer = ingest.accept(results.filter(({ identity }) => !all.includes(identity.attemptId)))
    await clock.advance(500)
    all.push(...(await answer).accepted)
  }
  return all
}

test('while another session holds the row of one check, the outages of others are stored, and then its own', async () => {
  const [held, good] = [await givenCheck(database), await givenCheck(database)]
  const ofHeld = incomingResult(held, now, { outcome: 'fail' })
  const ofGood = incomingResult(good, now, { outcome: 'fail' })
  await database.db.transaction(async (session) => {
    await session.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [held.id])
    expect(await deliver([ofHeld, ofGood], 5)).toEqual([ofGood.identity.attemptId])
    expect(ingest.condition().failing?.reason).toBe(`check ${held.id}: canceling statement due to lock timeout`)
  })
  expect(await deliver([ofHeld], 6)).toEqual([ofHeld.identity.attemptId])
  expect(ingest.condition().failing).toBeUndefined()
})
