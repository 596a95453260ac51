import { afterEach, beforeEach, expect, test } from 'vitest'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { useHeldRows } from '../../test-support/held-rows.ts'
import { idsOf, useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'
import type { Ingest } from './ingest.ts'

const database = useEmptiedDatabase()
const rows = useHeldRows(database)
const { now, given, deliver, open } = useIngest(database)
let ingest: Ingest

beforeEach(() => {
  ingest = open(rows.db)
})
afterEach(() => ingest.stop())

test('while another session holds the row of one check, the outages of others are stored, and then its own', async () => {
  const [held, good] = [await given(), await given()]
  const ofHeld = incomingResult(held, now, { outcome: 'fail' })
  const ofGood = incomingResult(good, now, { outcome: 'fail' })
  await rows.whileHeld(held.id, async () => {
    expect(await deliver([ofHeld, ofGood], 5, ingest)).toEqual({ accepted: idsOf([ofGood]), rejected: [] })
    expect(ingest.condition().failing?.reason).toBe(`check ${held.id}: canceling statement due to lock timeout`)
  })
  expect(await deliver([ofHeld], 6, ingest)).toEqual({ accepted: idsOf([ofHeld]), rejected: [] })
  expect(ingest.condition().failing).toBeUndefined()
})
