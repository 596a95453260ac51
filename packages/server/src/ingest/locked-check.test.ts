import { expect, test } from 'vitest'
import type { GivenCheck } from '../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { idsOf, useIngest } from '../../test-support/ingest.ts'
import { useRefusedRows } from '../../test-support/refused-rows.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useEmptiedDatabase()
const setup = useIngest(database)
const { now, given, deliver, rowsOf } = setup
const { refuse, allow } = useRefusedRows(database)

/** Statements about this check end with the limit of statements, as when another session holds its row. */
const givenHeld = (check: GivenCheck) =>
  refuse(check, { message: 'canceling statement due to statement timeout', sqlState: '57014' })

test('a check whose row somebody holds keeps no outage of other checks from being stored', async () => {
  const [held, good] = [await given(), await given()]
  await givenHeld(held)
  const results = [incomingResult(held, now), incomingResult(good, now, { outcome: 'fail' })]
  expect(await deliver(results, 10)).toEqual({ accepted: idsOf(results.slice(1)), rejected: [] })
})

test('a check whose row somebody held is stored as it was reported once the row is free', async () => {
  const held = await given()
  await givenHeld(held)
  const results = [incomingResult(held, now, { outcome: 'fail' })]
  expect(await deliver(results, 10)).toEqual({ accepted: [], rejected: [] })
  await allow()
  expect(await deliver(results, 6)).toEqual({ accepted: idsOf(results), rejected: [] })
  expect(await rowsOf(held)).toMatchObject([{ outcome: 'fail' }])
  expect(setup.ingest.condition().failing).toBeUndefined()
})

test('results of one agent that are never stored are noticed although those of another are', async () => {
  const [held, good, other] = [await given(), await given(), await given()]
  await givenHeld(held)
  const results = [incomingResult(held, now), incomingResult(good, now, { outcome: 'fail' })]
  for (let n = 1; n <= 10; n++) {
    await deliver(results, 1)
    await deliver([incomingResult(other, now + n)], 1)
  }
  expect(setup.ingest.condition().failing?.reason).toBe(
    `check ${held.id}: canceling statement due to statement timeout`,
  )
})
