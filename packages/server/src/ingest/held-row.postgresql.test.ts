import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseUrlOf, useEmptiedDatabase } from '../../test-support/database.ts'
import { idsOf, useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'
import type { Ingest } from './ingest.ts'

const database = useEmptiedDatabase()
/** A statement may take so long that only the limit of locks ends a wait within the time of a test. */
const limits = { statementMs: 60_000, lockMs: 100, answerMs: 60_000, connectMs: 5000, idleInTransactionMs: 60_000 }
const { now, given, deliver, open } = useIngest(database)
let db: Database
let ingest: Ingest

beforeEach(async () => {
  db = await openExternal(databaseUrlOf(database.db), undefined, limits)
  ingest = open(db)
})
afterEach(async () => {
  await ingest.stop()
  await db.close()
})

test('while another session holds the row of one check, the outages of others are stored, and then its own', async () => {
  const [held, good] = [await given(), await given()]
  const ofHeld = incomingResult(held, now, { outcome: 'fail' })
  const ofGood = incomingResult(good, now, { outcome: 'fail' })
  await database.db.transaction(async (session) => {
    await session.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [held.id])
    expect(await deliver([ofHeld, ofGood], 5, ingest)).toEqual({ accepted: idsOf([ofGood]), rejected: [] })
    expect(ingest.condition().failing?.reason).toBe(`check ${held.id}: canceling statement due to lock timeout`)
  })
  expect(await deliver([ofHeld], 6, ingest)).toEqual({ accepted: idsOf([ofHeld]), rejected: [] })
  expect(ingest.condition().failing).toBeUndefined()
})
