import type { PrivateLocationId } from '@vedette/wire'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { reportOf } from '../../test-support/reports.ts'
import { deletePrivateLocation, givenPrivateKey, givenPrivateLocation } from '../../test-support/private-locations.ts'
import { unavailableAfterMs } from '../scheduling/availability.ts'

const database = useEmptiedDatabase()
let db: Database
let plane: Plane

beforeAll(() => {
  db = database.db
})
beforeEach(async () => {
  await forgetChecks(db)
  plane = await givenPlane(db)
})
afterEach(() => plane.stop())

interface Office {
  accountId: string
  location: PrivateLocationId
  agent: TestAgent
  /** Requests a run of a new check of the account at its office. Returns the check's id. */
  run(): Promise<string>
}

/** An account with a location `office` and an agent there. */
async function givenOffice(): Promise<Office> {
  const accountId = await givenAccount(db)
  const location = await givenPrivateLocation(db, accountId, 'office')
  const key = await givenPrivateKey(db, { accountId, location, slug: 'office' })
  plane.agents.keys.forget()
  const agent = new TestAgent(plane, key)
  // Nothing is queued for a location that no agent ever called for.
  await agent.hello()
  return {
    accountId,
    location,
    agent,
    async run() {
      const definition = { locations: null, privateLocations: [location] }
      const { id } = await givenCheck(plane, { accountId, definition })
      await plane.dispatch.checkChanged(id)
      await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
      await plane.clock.advance(0)
      return id
    },
  }
}

const gaps = async () => {
  await plane.clock.advance(4000)
  const { rows } = await db.pool.query<{ account_id: string | null; location: string }>(
    `SELECT account_id, location FROM coverage_gaps WHERE scope = 'location'`,
  )
  return rows
}

describe('two accounts that both call a location "office"', () => {
  it('never get runs of each other, whoever asks first', async () => {
    const [mine, theirs] = [await givenOffice(), await givenOffice()]
    const [myCheck, theirCheck] = [await mine.run(), await theirs.run()]
    const toThem = await theirs.agent.lease()
    expect(toThem.map(({ checkId }) => checkId)).toEqual([theirCheck])
    expect(await theirs.agent.lease()).toEqual([])
    const toMe = await mine.agent.lease()
    expect(toMe.map(({ checkId, location }) => ({ checkId, location }))).toEqual([
      { checkId: myCheck, location: 'office' },
    ])
    expect((await mine.agent.hello()).body['locations']).toEqual(['office'])
  })

  it('keep what is given back, and what an agent claims to hold, to themselves', async () => {
    const [mine, theirs] = [await givenOffice(), await givenOffice()]
    const myCheck = await mine.run()
    const [job] = await mine.agent.lease()
    expect((await mine.agent.post('release', { leases: [job!.lease] })).status).toBe(204)
    await theirs.agent.hello([job!.attemptId])
    expect(await theirs.agent.lease()).toEqual([])
    expect((await mine.agent.lease()).map(({ checkId }) => checkId)).toEqual([myCheck])
  })

  it('take no result for a lease of the other, and store the location by its id', async () => {
    const [mine, theirs] = [await givenOffice(), await givenOffice()]
    const myCheck = await mine.run()
    const [job] = await mine.agent.lease()
    const refused = await theirs.agent.report(plane.clock, reportOf(job!))
    expect(refused.body).toMatchObject({ accepted: [], rejected: [{ attemptId: job!.attemptId }] })
    expect((await mine.agent.report(plane.clock, reportOf(job!))).body['accepted']).toEqual([job!.attemptId])
    const { rows } = await db.pool.query('SELECT location FROM check_results WHERE check_id = $1', [myCheck])
    expect(rows).toEqual([{ location: mine.location }])
  })

  it('are served each by its own agents: where there are none, runs are a gap of that account alone', async () => {
    const [mine, theirs] = [await givenOffice(), await givenOffice()]
    await mine.run()
    const theirCheck = await theirs.run()
    for (let waited = 0; waited < unavailableAfterMs + 120_000; waited += 60_000) {
      await plane.clock.advance(60_000)
      for (const job of await theirs.agent.lease()) await theirs.agent.report(plane.clock, reportOf(job))
    }
    expect(await gaps()).toEqual([{ account_id: mine.accountId, location: mine.location }])
    const { rows } = await db.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM check_results WHERE check_id = $1 AND outcome = 'pass'`,
      [theirCheck],
    )
    expect(rows[0]?.n).toBeGreaterThan(10)
  })
})

describe('a key of a private location', () => {
  const hello = async (key: string) => (await new TestAgent(plane, key).hello()).status

  it('is void once the location is deleted', async () => {
    const accountId = await givenAccount(db)
    const location = await givenPrivateLocation(db, accountId, 'cellar')
    const key = await givenPrivateKey(db, { accountId, location, slug: 'cellar' })
    plane.agents.keys.forget()
    expect(await hello(key)).toBe(200)
    await deletePrivateLocation(db, location)
    plane.agents.keys.forget()
    expect(await hello(key)).toBe(401)
  })

  it('serves nothing when its account does not own the location', async () => {
    const location = await givenPrivateLocation(db, await givenAccount(db), 'office')
    const key = await givenPrivateKey(db, { accountId: await givenAccount(db), location, slug: 'office' })
    plane.agents.keys.forget()
    expect(await hello(key)).toBe(401)
  })
})
