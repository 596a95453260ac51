import { describe, expect, it } from 'vitest'
import type { GivenCheck } from '../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { idsOf, useIngest } from '../../test-support/ingest.ts'
import { useRefusedRows } from '../../test-support/refused-rows.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import type { Database } from '../db/database.ts'

const database = useEmptiedDatabase()
const setup = useIngest(database)
const { now, given, deliver, open, rowsOf } = setup
const { refuse, allow } = useRefusedRows(database)

/** Storing these results of the check fails for a reason that says nothing about the row. */
const givenRefusal = (check: GivenCheck, ...outcomes: NonNullable<ResultParts['outcome']>[]) =>
  refuse(check, { message: 'something is wrong with this one', outcomes })

describe('a batch with a result that fails to be stored again and again', () => {
  it('is stored at the third try, and that run ends as not known with the reason', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, 'fail')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    expect(await deliver(results, 2)).toEqual({ accepted: [], rejected: [] })
    const { accepted, rejected } = await deliver(results, 1)
    expect([accepted.toSorted(), rejected]).toEqual([idsOf(results).toSorted(), []])
    expect(await rowsOf(bad)).toMatchObject([
      { outcome: 'unknown', result_type: 'FINAL', cause: expect.stringContaining('something is wrong') as string },
    ])
    expect(await rowsOf(good)).toMatchObject([{ outcome: 'pass' }])
    expect(setup.ingest.notStorable).toEqual({ unknown: 1, refused: 0 })
  })

  it('is stored although results in between could be', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, 'fail')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    for (let n = 1; n <= 2; n++) {
      await deliver(results, 1)
      await deliver([incomingResult(good, now + n)], 1)
    }
    expect((await deliver(results, 1)).accepted).toHaveLength(2)
  })

  it('is stored but for the one of which not even that can be recorded: it is tried on', async () => {
    const [bad, good] = [await given(), await given()]
    await givenRefusal(bad, 'fail', 'unknown')
    const results = [incomingResult(bad, now, { outcome: 'fail' }), incomingResult(good, now)]
    expect(await deliver(results, 5)).toEqual({ accepted: idsOf(results.slice(1)), rejected: [] })
    await allow()
    expect(await deliver(results.slice(0, 1), 1)).toEqual({ accepted: idsOf(results.slice(0, 1)), rejected: [] })
    expect(await rowsOf(bad)).toMatchObject([{ outcome: 'fail' }])
  })
})

it('while the database is away no result ends as not known, however often it is tried', async () => {
  let away = true
  const transaction: Database['transaction'] = (work, options) =>
    away ? Promise.reject(new Error('Connection terminated unexpectedly')) : database.db.transaction(work, options)
  const other = open({ ...database.db, transaction })
  const [one, two] = [await given(), await given()]
  const results = [incomingResult(one, now, { outcome: 'fail' }), incomingResult(two, now, { outcome: 'fail' })]
  expect(await deliver(results, 6, other)).toEqual({ accepted: [], rejected: [] })
  away = false
  expect((await deliver(results, 1, other)).accepted).toHaveLength(2)
  for (const check of [one, two]) expect(await rowsOf(check)).toMatchObject([{ outcome: 'fail' }])
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
  const other = open({ ...database.db, transaction: breaking })
  const check = await given()
  const results = [incomingResult(check, now, { outcome: 'fail' })]
  expect(await deliver(results, 6, other)).toEqual({ accepted: [], rejected: [] })
  expect(await rowsOf(check)).toEqual([])
  await other.stop()
})
