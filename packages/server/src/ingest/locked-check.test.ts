import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { incomingResult } from '../../test-support/results.ts'
import { Ingest } from './ingest.ts'

const database = useEmptiedDatabase()
const now = Math.floor(Date.now() / 1000) * 1000
let clock: TestClock
let ingest: Ingest
let account: string

beforeEach(async () => {
  clock = new TestClock(now)
  account = await givenAccount(database.db)
  ingest = new Ingest({ db: database.db, clock })
})
afterEach(async () => {
  await ingest.stop()
  await database.db.pool.query('DROP TRIGGER IF EXISTS hold_one ON check_results')
})

const given = () => givenCheck(database, { accountId: account })

/** Statements about this check end with the limit of statements, as when another session holds its row. */
async function givenHeld(check: GivenCheck): Promise<void> {
  await database.db.pool.query(
    `CREATE OR REPLACE FUNCTION hold_one() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = '57014'; END $$`,
  )
  await database.db.pool.query(
    `CREATE TRIGGER hold_one BEFORE INSERT ON check_results FOR EACH ROW
     WHEN (NEW.check_id = '${check.id}') EXECUTE FUNCTION hold_one()`,
  )
}

async function deliver(results: Parameters<Ingest['accept']>[0], times: number): Promise<string[]> {
  const all: string[] = []
  for (let time = 0; time < times; time++) {
    await clock.advance(6000)
    const left = results.filter(({ identity }) => !all.includes(identity.attemptId))
    const answer = ingest.accept(left)
    await clock.advance(500)
    all.push(...(await answer).accepted)
  }
  return all
}

test('a check whose row somebody holds keeps no outage of other checks from being stored', async () => {
  const [held, good] = [await given(), await given()]
  await givenHeld(held)
  const results = [incomingResult(held, now), incomingResult(good, now, { outcome: 'fail' })]
  expect(await deliver(results, 10)).toEqual([results[1]?.identity.attemptId])
})

test('a check whose row somebody held is stored as it was reported once the row is free', async () => {
  const held = await given()
  await givenHeld(held)
  const results = [incomingResult(held, now, { outcome: 'fail' })]
  expect(await deliver(results, 10)).toEqual([])
  await database.db.pool.query('DROP TRIGGER hold_one ON check_results')
  expect(await deliver(results, 6)).toEqual([results[0]?.identity.attemptId])
  const { rows } = await database.db.pool.query('SELECT outcome FROM check_results WHERE check_id = $1', [held.id])
  expect(rows).toEqual([{ outcome: 'fail' }])
  expect(ingest.condition().failing).toBeUndefined()
})

test('results of one agent that are never stored are noticed although those of another are', async () => {
  const [held, good, other] = [await given(), await given(), await given()]
  await givenHeld(held)
  const results = [incomingResult(held, now), incomingResult(good, now, { outcome: 'fail' })]
  for (let n = 1; n <= 10; n++) {
    await deliver(results, 1)
    await deliver([incomingResult(other, now + n)], 1)
  }
  expect(ingest.condition().failing?.reason).toBe(`check ${held.id}: canceling statement due to statement timeout`)
})
