import type { CheckUptime } from '@vedette/wire'
import type { QueryConfig } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { givenApi } from '../../../../test-support/api.ts'
import { givenCheck } from '../../../../test-support/checks.ts'
import { useDatabase } from '../../../../test-support/database.ts'
import { openTestHttp } from '../../../../test-support/http.ts'
import { useIngest } from '../../../../test-support/ingest.ts'
import { givenManyResults, onResults, rowReads } from '../../../../test-support/result-plans.ts'
import { recordingStatements } from '../../../../test-support/recorded-statements.ts'
import { incomingResult } from '../../../../test-support/results.ts'
import { overviewRoutes } from '../index.ts'
import { uptimeHours, type UptimeHours } from './uptime-hours.ts'

const database = useDatabase()
const at = useIngest(database)
const hour = 3_600_000

let uptime: UptimeHours
/** Parameters of the queries that counted results. */
let counted: unknown[][]
let stopListening: () => void
/** Called when an hour was read and before that is known. */
let afterCounting: () => Promise<void>

beforeEach(() => {
  counted = []
  afterCounting = async () => {}
  const query = async (asked: string | QueryConfig<unknown[]>, values?: unknown[]) => {
    const answer = await database.db.pool.query(asked, values)
    if (typeof asked !== 'string' && asked.values) {
      counted.push(asked.values)
      await afterCounting()
    }
    return answer
  }
  uptime = uptimeHours({ db: { ...database.db, pool: { query } as never }, clock: at.clock })
  stopListening = at.ingest.onCommitted((results) => uptime.forget(results))
})
afterEach(() => stopListening())

const hoursRead = () => counted.flatMap(([checkIds]) => checkIds as string[]).length
const running = () => Math.floor(at.now / hour) * hour

async function of(checkId: string): Promise<CheckUptime | undefined> {
  counted = []
  return (await uptime.of(at.accountId, [checkId]))[0]
}

describe('the uptime of a check', () => {
  test('counts passed and degraded runs as up, failed ones as down, and leaves out what is not known', async () => {
    const check = await at.given()
    expect(await of(check.id)).toEqual({ checkId: check.id, uptime: null, runs: 0 })
    await at.take([
      incomingResult(check, running() - 1000),
      incomingResult(check, running() - 2000, { degraded: true }),
      incomingResult(check, running() - 3000, { outcome: 'fail' }),
      incomingResult(check, running() - 4000, { outcome: 'unknown' }),
      incomingResult(check, running() - 24 * hour, {}),
      incomingResult(check, running() - 24 * hour - 1, { outcome: 'fail' }),
    ])
    expect(await of(check.id)).toEqual({ checkId: check.id, uptime: 3 / 4, runs: 4 })
  })

  test('counts the attempts of a run once', async () => {
    const check = await at.given({ retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 0, sameRegion: true } })
    await at.take([incomingResult(check, running() - 1000, { outcome: 'fail' })])
    await at.take([incomingResult(check, running() - 1000, { attempt: 1 })])
    expect(await of(check.id)).toMatchObject({ uptime: 1, runs: 1 })
  })

  test('reads the running hour alone once the others are known', async () => {
    const check = await at.given()
    await at.take([incomingResult(check, running() - hour)])
    await of(check.id)
    expect(hoursRead()).toBe(25)
    await at.take([incomingResult(check, running(), { outcome: 'fail' })])
    expect(await of(check.id)).toMatchObject({ uptime: 1 / 2 })
    expect(hoursRead()).toBe(1)
    at.clock.setWall(hour)
    expect(await of(check.id)).toMatchObject({ uptime: 1 / 2 })
    expect(hoursRead()).toBe(2)
  })

  test('has a late result, also one that is stored while its hour is counted', async () => {
    const check = await at.given()
    await of(check.id)
    await at.take([incomingResult(check, running() - 5 * hour, { receivedAt: at.now })])
    expect(await of(check.id)).toMatchObject({ runs: 1 })
    expect(hoursRead()).toBe(2)
    await at.take([incomingResult(check, running() - 5 * hour + 1000, { receivedAt: at.now })])
    afterCounting = async () => {
      afterCounting = async () => {}
      await at.take([incomingResult(check, running() - 5 * hour + 2000, { receivedAt: at.now })])
    }
    expect(await of(check.id)).toMatchObject({ runs: 2 })
    expect(await of(check.id)).toMatchObject({ runs: 3 })
  })

  test('is counted from indexes alone', async () => {
    const checks = [await at.given(), await at.given()]
    await givenManyResults(database.db, checks, { until: running(), number: 3600 })
    const { db, statements } = recordingStatements(database.db)
    const ids = checks.map(({ id }) => id)
    const found = await uptimeHours({ db, clock: at.clock }).of(at.accountId, ids)
    expect(found).toEqual(ids.map((checkId) => ({ checkId, uptime: 1, runs: 3600 })))
    expect(onResults(statements)).not.toEqual([])
    for (const statement of onResults(statements)) expect(await rowReads(database.db, statement)).toEqual([])
  })

  test('is read anew after five minutes where another server may have stored late results', async () => {
    const check = await at.given()
    const peers = { self: 'this', listen: () => ({ stop: async () => {} }) }
    const shared = uptimeHours({ db: { ...database.db, peers }, clock: at.clock })
    at.clock.jump(1)
    const runs = async () => (await shared.of(at.accountId, [check.id]))[0]?.runs
    expect(await runs()).toBe(0)
    await at.take([incomingResult(check, running() - hour, { receivedAt: at.now })])
    expect(await runs()).toBe(0)
    at.clock.jump(5 * 60_000)
    expect(await runs()).toBe(1)
  })
})

test('GET /v1/overview/uptime answers for the checks of the account alone, in the order asked for', async () => {
  const { db } = database
  const api = await givenApi(db)
  const app = await openTestHttp(db, (http) => overviewRoutes(http, { ...api.deps, uptime: uptimeHours(api.deps) }))
  const [one, two] = [await givenCheck(database, api), await givenCheck(database, api)]
  const strange = await givenCheck(database)
  const get = (ids: string[]) =>
    app.inject({
      url: `/v1/overview/uptime?checkId=${ids.join(',')}`,
      headers: { authorization: `Bearer ${api.keys.read}` },
    })
  const answer = await get([two.id, strange.id, one.id, two.id])
  expect(answer.json()).toEqual([two, one].map(({ id }) => ({ checkId: id, uptime: null, runs: 0 })))
  expect((await get(Array.from({ length: 101 }, () => one.id))).statusCode).toBe(400)
})
