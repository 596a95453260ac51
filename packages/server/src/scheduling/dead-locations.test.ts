import { dueAt, slotAtOrAfter, type Job } from '@vedette/wire'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { failed, reportOf } from '../../test-support/reports.ts'

const minute = 60_000
const database = useEmptiedDatabase()
let db: Database
let plane: Plane
let agent: TestAgent
/** No agent serves it. */
const dead = 'us-east-1'
const living = 'eu-west-1'

beforeAll(() => {
  db = database.db
})

beforeEach(async () => {
  await forgetChecks(db)
  plane = await givenPlane(db)
  const { keys } = plane.agents
  await db.pool.query(`UPDATE agent_keys SET revoked_at = now() WHERE kind = 'data-center'`)
  await keys.mintForDataCenter(db.pool, dead)
  agent = new TestAgent(plane, await keys.mintBuiltin('test'))
  await agent.hello()
})
afterEach(() => plane.stop())

async function given(definition: Record<string, unknown>) {
  const check = await givenCheck(plane, { definition: { locations: [living, dead], ...definition } })
  await plane.dispatch.checkChanged(check.id)
  return check
}

const failing = (jobs: Job[]) =>
  jobs.length > 0
    ? agent.report(plane.clock, ...jobs.map((job) => reportOf(job, { verdict: failed })))
    : Promise.resolve()

/** The agent takes available runs every second and reports the target as down. */
async function live(ms: number): Promise<Job[]> {
  const taken: Job[] = []
  for (const end = plane.clock.now() + ms; plane.clock.now() < end;) {
    const jobs = await agent.lease()
    taken.push(...jobs)
    await failing(jobs)
    await plane.clock.advance(1000)
  }
  return taken
}

const alertsOf = async (checkId: string) =>
  (await db.pool.query<{ at: Date }>('SELECT created_at AS at FROM check_alerts WHERE check_id = $1', [checkId])).rows

describe('a failure that is to be confirmed where no agent is', () => {
  it('is confirmed elsewhere once its retry is lost', async () => {
    const check = await given({ doubleCheck: true })
    await live(9 * minute)
    expect(await alertsOf(check.id)).toHaveLength(1)
    const { rows } = await db.pool.query<{ outcome: string; location: string; result_type: string }>(
      'SELECT outcome, location, result_type FROM check_results WHERE check_id = $1 AND attempts > 0 ORDER BY attempts',
      [check.id],
    )
    expect(rows.slice(0, 2)).toEqual([
      { outcome: 'unknown', location: dead, result_type: 'ATTEMPT' },
      { outcome: 'fail', location: living, result_type: 'FINAL' },
    ])
  })

  it('is confirmed elsewhere at once when the location has had none for long', async () => {
    await live(11 * minute)
    const check = await given({ doubleCheck: true })
    const beganAt = plane.clock.now()
    await live(3 * minute)
    const [alert] = await alertsOf(check.id)
    expect(alert!.at.getTime() - beganAt).toBeLessThan(2 * minute + 10_000)
  })
})

it('an outage of a location covers every slot it cost, also those right before an agent is back', async () => {
  const check = await given({ locations: [dead], frequency: 0, frequencyOffset: 10 })
  const schedule = { checkId: check.id, frequency: 0, frequencyOffset: 10 }
  await plane.clock.advance(15 * minute)
  const last = slotAtOrAfter(schedule, plane.clock.now())
  await plane.clock.advance(dueAt(schedule, last) - plane.clock.now() + 1)
  // The last slot is left out; right after it the location is served again.
  const { keys } = plane.agents
  await db.pool.query(`UPDATE agent_keys SET revoked_at = now() WHERE kind = 'data-center'`)
  keys.forget()
  await agent.lease()
  await plane.clock.advance(5000)
  const { rows } = await db.pool.query<{ to_at: Date }>(`SELECT to_at FROM coverage_gaps WHERE scope = 'location'`)
  expect(rows.map((row) => row.to_at.getTime())).toEqual([dueAt(schedule, last)])
})
