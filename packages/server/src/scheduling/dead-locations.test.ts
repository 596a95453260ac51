import { dueAt, slotAtOrAfter, slotAtOrBefore, type Job } from '@vedette/wire'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shownCause, shownState } from '../db/check-state.ts'
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
  // It had an agent once.
  await db.pool.query('UPDATE agent_keys SET first_heard_at = created_at WHERE location = $1', [dead])
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

const passing = (jobs: Job[]) =>
  jobs.length > 0 ? agent.report(plane.clock, ...jobs.map((job) => reportOf(job))) : Promise.resolve()

const stepMs = 2000
/** The agent takes available runs every two seconds and reports the target as down, or as told. */
async function live(ms: number, report: (jobs: Job[]) => Promise<unknown> = failing): Promise<Job[]> {
  const taken: Job[] = []
  for (const end = plane.clock.now() + ms; plane.clock.now() < end;) {
    const jobs = await agent.lease()
    taken.push(...jobs)
    await report(jobs)
    await plane.clock.advance(stepMs)
  }
  return taken
}

/** Until the dead location counts as one without agents. */
async function deadForLong(): Promise<void> {
  await plane.clock.advance(11 * minute)
  await agent.lease()
}

const alertsOf = async (checkId: string) =>
  (
    await db.pool.query<{ at: Date; type: string }>(
      'SELECT created_at AS at, alert_type AS type FROM check_alerts WHERE check_id = $1 ORDER BY created_at',
      [checkId],
    )
  ).rows

const unknownOf = async (checkId: string) =>
  (
    await db.pool.query<{ due_at: Date; result_type: string; location: string; cause: string }>(
      `SELECT due_at, result_type, location, cause FROM check_results WHERE check_id = $1 AND outcome = 'unknown'
       ORDER BY due_at, attempts`,
      [checkId],
    )
  ).rows

const locationGaps = async () =>
  (
    await db.pool.query<{ from_at: Date; to_at: Date }>(
      `SELECT from_at, to_at FROM coverage_gaps WHERE scope = 'location' ORDER BY from_at`,
    )
  ).rows.map((row) => ({ from: row.from_at.getTime(), to: row.to_at.getTime() }))

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
    await deadForLong()
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

describe('a parallel check with a location that has had no agent for long', () => {
  const everywhere = { parallelRunFailureThreshold: { enabled: true, percentage: 100 } }
  const parallel = () => given({ runParallel: true, alertSettings: everywhere, useGlobalAlertSettings: false })

  it('alerts on an outage and on its end', async () => {
    await deadForLong()
    const check = await parallel()
    await live(3 * minute)
    await live(3 * minute, passing)
    expect((await alertsOf(check.id)).map(({ type }) => type)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('has one result there that is not known, and one gap for the rest', async () => {
    await deadForLong()
    const check = await parallel()
    const schedule = { checkId: check.id, frequency: 1, frequencyOffset: 1 }
    const first = slotAtOrAfter(schedule, plane.clock.now())
    await live(6 * minute, passing)
    expect(await unknownOf(check.id)).toEqual([
      {
        due_at: new Date(dueAt(schedule, first)),
        result_type: 'FINAL',
        location: dead,
        cause: 'No agent served the location us-east-1.',
      },
    ])
    const last = slotAtOrBefore(schedule, plane.clock.now())
    expect(await locationGaps()).toEqual([{ from: dueAt(schedule, first + 1), to: expect.any(Number) }])
    expect((await locationGaps())[0]!.to).toBeGreaterThanOrEqual(dueAt(schedule, last - 1))
  })

  it('ends a run that is asked for at once where no agent is', async () => {
    await deadForLong()
    const check = await given({ runParallel: true, frequency: 1440, frequencyOffset: 1 })
    await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
    await live(5000, passing)
    expect(await unknownOf(check.id)).toMatchObject([{ result_type: 'FINAL', location: dead }])
    expect((await db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
  })
})

it('a retry that is bound to a location without agents is confirmed elsewhere', async () => {
  const sameRegion = { type: 'FIXED', baseBackoffSeconds: 0, sameRegion: true, maxRetries: 1, maxDurationSeconds: 600 }
  const check = await given({ retryStrategy: { ...sameRegion, onlyOn: [] } })
  const { keys } = plane.agents
  await db.pool.query(`UPDATE agent_keys SET revoked_at = now() WHERE kind = 'data-center'`)
  keys.forget()
  const schedule = { checkId: check.id, frequency: 1, frequencyOffset: 1 }
  const next = slotAtOrAfter(schedule, plane.clock.now())
  const slot = next % 2 === 1 ? next : next + 1
  await live(dueAt(schedule, slot) - plane.clock.now() - stepMs, passing)
  await plane.clock.advance(dueAt(schedule, slot) - plane.clock.now())
  const jobs = (await agent.lease()).filter(({ location }) => location === dead)
  await keys.mintForDataCenter(db.pool, dead)
  keys.forget()
  await failing(jobs)
  await live(8 * minute)
  const { rows } = await db.pool.query<{ outcome: string; location: string; result_type: string }>(
    `SELECT outcome, location, result_type FROM check_results WHERE check_id = $1 AND due_at = $2 ORDER BY attempts`,
    [check.id, new Date(dueAt(schedule, slot))],
  )
  expect(rows).toEqual([
    { outcome: 'fail', location: dead, result_type: 'ATTEMPT' },
    { outcome: 'unknown', location: dead, result_type: 'ATTEMPT' },
    { outcome: 'fail', location: living, result_type: 'FINAL' },
  ])
})

describe('a location with a key that no agent has ever called with', () => {
  const never = 'ap-south-1'
  let raw: string

  beforeEach(async () => {
    const { keys } = plane.agents
    raw = (await keys.mintForDataCenter(db.pool, never)).raw
    keys.forget()
    await agent.lease()
  })

  it('is named as the cause with the first slot, and the rest is a gap', async () => {
    const check = await given({ locations: [never], frequency: 0, frequencyOffset: 10 })
    await live(60_000, passing)
    expect(await unknownOf(check.id)).toMatchObject([
      { location: never, cause: `The location ${never} has a key, but no agent has ever connected with it.` },
    ])
    expect(await locationGaps()).toHaveLength(1)
    const { rows } = await db.pool.query<{ state: string; cause: string }>(
      `SELECT ${shownState('$2')} AS state, ${shownCause('$2')} AS cause FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.id = $1`,
      [check.id, new Date(plane.clock.now())],
    )
    expect(rows).toEqual([{ state: 'unknown', cause: expect.stringContaining('no agent has ever connected') }])
  })

  it('that the built-in agent served until now shows a check that passed there as unknown, with the cause', async () => {
    const second = 'ap-east-1'
    const check = await given({ locations: [second], frequency: 0, frequencyOffset: 10 })
    await live(60_000, passing)
    // A run waits for the built-in agent when the key is made. Nobody will ask for it any more.
    const schedule = { checkId: check.id, frequency: 0, frequencyOffset: 10 }
    const next = dueAt(schedule, slotAtOrAfter(schedule, plane.clock.now()))
    await plane.clock.advance(next - plane.clock.now() + 100)
    await plane.agents.keys.mintForDataCenter(db.pool, second)
    plane.agents.keys.forget()
    await live(60_000, passing)
    const { rows } = await db.pool.query<{ state: string; cause: string }>(
      `SELECT ${shownState('$2')} AS state, ${shownCause('$2')} AS cause FROM checks c JOIN check_status s ON s.check_id = c.id WHERE c.id = $1`,
      [check.id, new Date(plane.clock.now())],
    )
    expect(rows).toEqual([
      {
        state: 'unknown',
        cause: `No run has said anything about the target since then. The location ${second} has a key, but no agent has ever connected with it.`,
      },
    ])
  })

  it('is served as soon as an agent calls, and from then on for ten minutes without one', async () => {
    const check = await given({ locations: [never], frequency: 0, frequencyOffset: 10 })
    await live(30_000, passing)
    const own = new TestAgent(plane, raw)
    await own.hello()
    const jobs: Job[] = []
    for (let passed = 0; passed < 20_000; passed += 1000) {
      jobs.push(...(await own.lease()))
      await plane.clock.advance(1000)
    }
    expect(jobs.map(({ checkId }) => checkId)).toContain(check.id)
    const { rows } = await db.pool.query<{ first_heard_at: Date }>(
      'SELECT first_heard_at FROM agent_keys WHERE location = $1 AND revoked_at IS NULL',
      [never],
    )
    expect(rows[0]?.first_heard_at).toBeInstanceOf(Date)
  })
})
