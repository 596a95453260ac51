import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { incomingResult } from '../../test-support/results.ts'
import type { Database } from '../db/database.ts'
import type { AcceptAnswer, IncomingResult } from '../runs.ts'
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
  await database.db.pool.query('DROP TRIGGER IF EXISTS refuse_one ON check_results')
})

const given = () => givenCheck(database, { accountId: account })

/** Storing results of the check fails for a reason that says nothing about the row. */
async function givenRefusal(check: GivenCheck, outcomes: string): Promise<void> {
  await database.db.pool.query(
    `CREATE OR REPLACE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'something is wrong with this one'; END $$`,
  )
  await database.db.pool.query(
    `CREATE TRIGGER refuse_one BEFORE INSERT ON check_results FOR EACH ROW
     WHEN (NEW.check_id = '${check.id}' AND NEW.outcome = ANY ('${outcomes}')) EXECUTE FUNCTION refuse_one()`,
  )
}

/** Delivers what was not taken again, as an agent does. */
async function deliver(results: IncomingResult[], times: number, to = ingest): Promise<AcceptAnswer> {
  const all: AcceptAnswer = { accepted: [], rejected: [] }
  for (let time = 0; time < times; time++) {
    const settled = new Set([...all.accepted, ...all.rejected.map(({ attemptId }) => attemptId)])
    const left = results.filter(({ identity }) => !settled.has(identity.attemptId))
    if (left.length === 0) break
    // Nothing is taken for up to five seconds after failures in a row.
    await clock.advance(6000)
    const answer = to.accept(left)
    await clock.advance(500)
    const { accepted, rejected } = await answer
    all.accepted.push(...accepted)
    all.rejected.push(...rejected)
  }
  return all
}

const idsOf = (results: readonly IncomingResult[]) => results.map(({ identity }) => identity.attemptId)

const outcomesOf = async (check: GivenCheck) => {
  const sql = 'SELECT outcome, result_type, cause FROM check_results WHERE check_id = $1'
  return (await database.db.pool.query(sql, [check.id])).rows
}

describe('a batch with a result that fails to be stored again and again', () => {
  it('is stored at the third try, and that run ends as not known with the reason', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, '{fail}')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    expect(await deliver(results, 2)).toEqual({ accepted: [], rejected: [] })
    const { accepted, rejected } = await deliver(results, 1)
    expect([accepted.toSorted(), rejected]).toEqual([idsOf(results).toSorted(), []])
    expect(await outcomesOf(bad)).toMatchObject([
      { outcome: 'unknown', result_type: 'FINAL', cause: expect.stringContaining('something is wrong') as string },
    ])
    expect(await outcomesOf(good)).toMatchObject([{ outcome: 'pass' }])
    expect(ingest.notStorable).toEqual({ unknown: 1, refused: 0 })
  })

  it('is stored although results in between could be', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, '{fail}')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    for (let n = 1; n <= 2; n++) {
      await deliver(results, 1)
      await deliver([incomingResult(good, now + n)], 1)
    }
    expect((await deliver(results, 1)).accepted).toHaveLength(2)
  })

  it('is stored but for the one of which not even that can be recorded: it is tried on', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, '{fail,unknown}')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    expect(await deliver(results, 5)).toEqual({ accepted: idsOf(results.slice(1)), rejected: [] })
    await database.db.pool.query('DROP TRIGGER refuse_one ON check_results')
    expect(await deliver(results.slice(0, 1), 1)).toEqual({ accepted: idsOf(results.slice(0, 1)), rejected: [] })
    expect(await outcomesOf(bad)).toMatchObject([{ outcome: 'fail' }])
  })
})

it('while the database is away no result ends as not known, however often it is tried', async () => {
  let away = true
  const transaction: Database['transaction'] = (work, options) =>
    away ? Promise.reject(new Error('Connection terminated unexpectedly')) : database.db.transaction(work, options)
  const other = new Ingest({ db: { ...database.db, transaction }, clock })
  const [one, two] = [await given(), await given()]
  const results = [incomingResult(one, now, { outcome: 'fail' }), incomingResult(two, now, { outcome: 'fail' })]
  expect(await deliver(results, 6, other)).toEqual({ accepted: [], rejected: [] })
  away = false
  expect((await deliver(results, 1, other)).accepted).toHaveLength(2)
  for (const check of [one, two]) expect(await outcomesOf(check)).toMatchObject([{ outcome: 'fail' }])
  await other.stop()
})

it('a connection that breaks while one result is stored alone ends none as not known', async () => {
  const breaking: Database['transaction'] = (work, options) =>
    database.db.transaction(async (client) => {
      let broken = false
      const query = (...call: unknown[]) => {
        const [statement] = call
        const isInsert = typeof statement === 'object' && (statement as { name?: string }).name === 'ingest-insert'
        broken ||= isInsert
        if (broken) return Promise.reject(new Error('Connection terminated unexpectedly'))
        return (client.query as (...all: unknown[]) => Promise<unknown>)(...call)
      }
      return work(new Proxy(client, { get: (of, name) => (name === 'query' ? query : Reflect.get(of, name)) }))
    }, options)
  const other = new Ingest({ db: { ...database.db, transaction: breaking }, clock })
  const check = await given()
  const results = [incomingResult(check, now, { outcome: 'fail' })]
  expect(await deliver(results, 6, other)).toEqual({ accepted: [], rejected: [] })
  expect(await outcomesOf(check)).toEqual([])
  await other.stop()
})
