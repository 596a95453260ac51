import { randomUUID } from 'node:crypto'
import { agentPathsV1, handedOutAheadMs, dueAt, slotAtOrAfter, type Job } from '@vedette/wire'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { resolveSettings, useEmptiedDatabase } from '../../test-support/database.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { failed, reportOf } from '../../test-support/reports.ts'
import type { TestClock } from '../../test-support/clock.ts'

const database = useEmptiedDatabase()
let db: Database
let plane: Plane
let agent: TestAgent

beforeAll(() => {
  db = database.db
})

beforeEach(async () => {
  await forgetChecks(db)
  await start()
})
afterEach(() => plane.stop())

async function start(clock?: TestClock): Promise<void> {
  plane = await givenPlane(db, clock)
  // Without the lock of a data directory, the lease of the last leader has to expire first.
  if (clock !== undefined) await clock.advance(5000)
  agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  await agent.hello()
}

/** The server is killed: nothing more is stored, and its memory is lost. */
async function crash(): Promise<TestClock> {
  await plane.crash()
  return plane.clock
}

async function scheduled(definition: Record<string, unknown> = {}) {
  const check = await givenCheck(plane, { definition })
  await plane.dispatch.checkChanged(check.id)
  const schedule = { checkId: check.id, frequency: 1, frequencyOffset: 1, ...definition }
  const slot = slotAtOrAfter(schedule, plane.clock.now())
  return { ...check, slot, dueAt: (n: number) => dueAt(schedule, slot + n), schedule }
}

const goTo = (atMs: number): Promise<void> => plane.clock.advance(atMs - plane.clock.now())

const resultsOf = async (checkId: string) =>
  (
    await db.pool.query<{ due_at: Date; location: string; outcome: string; result_type: string; cause: string | null }>(
      'SELECT due_at, location, outcome, result_type, cause FROM check_results WHERE check_id = $1 ORDER BY due_at, id',
      [checkId],
    )
  ).rows

const gaps = async () =>
  (
    await db.pool.query<{ from_at: Date; to_at: Date }>('SELECT from_at, to_at FROM coverage_gaps ORDER BY id')
  ).rows.map((row) => ({ from: row.from_at.getTime(), to: row.to_at.getTime() }))

const overlapsOf = async (checkId: string) =>
  (await db.pool.query('SELECT overlap_count AS n FROM check_status WHERE check_id = $1', [checkId])).rows[0]?.n

const passing = (jobs: Job[]) => agent.report(plane.clock, ...jobs.map((job) => reportOf(job)))

describe('the schedule', () => {
  it('hands a run to the agent shortly before its due time', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0) - handedOutAheadMs - 1)
    expect(await agent.lease()).toEqual([])
    await goTo(check.dueAt(0) - 50)
    const jobs = await agent.lease()
    expect(jobs).toMatchObject([{ checkId: check.id, dueAt: check.dueAt(0), attempt: 0, location: 'eu-west-1' }])
  })

  it('hands a run to an agent of the first protocol, which starts it at once, at its due time', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0) - 40)
    const first = new TestAgent(plane, await plane.agents.keys.mintBuiltin('first protocol'), agentPathsV1)
    const answer = first.lease().then((jobs) => ({ jobs, at: plane.clock.now() }))
    await goTo(check.dueAt(0) + 100)
    expect(await answer).toMatchObject({ jobs: [{ checkId: check.id }], at: check.dueAt(0) })
  })

  it('visits the locations in turn', async () => {
    const locations = ['eu-west-1', 'us-east-1', 'ap-south-1']
    const check = await scheduled({ locations })
    const seen: string[] = []
    for (let n = 0; n < 6; n++) {
      await goTo(check.dueAt(n))
      const jobs = await agent.lease()
      seen.push(...jobs.map((job) => job.location))
      await passing(jobs)
    }
    const turn = check.slot % 3
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((n) => locations[(turn + n) % 3]))
  })

  it('runs everywhere at once when told to, under one run id', async () => {
    const check = await scheduled({ locations: ['eu-west-1', 'us-east-1'], runParallel: true })
    await goTo(check.dueAt(0))
    const jobs = await agent.lease()
    expect(jobs.map((job) => job.location).toSorted()).toEqual(['eu-west-1', 'us-east-1'])
    expect(new Set(jobs.map((job) => job.dueAt))).toEqual(new Set([check.dueAt(0)]))
  })

  it('runs a check without a location at the default location of its account', async () => {
    const check = await scheduled({ locations: [] })
    await goTo(check.dueAt(0))
    expect(await agent.lease()).toMatchObject([{ location: 'eu-central-1' }])
  })

  it('runs a check every ten seconds', async () => {
    const check = await scheduled({ frequency: 0, frequencyOffset: 10 })
    for (let n = 0; n < 6; n++) {
      await goTo(check.dueAt(n))
      await passing(await agent.lease())
    }
    const due = (await resultsOf(check.id)).map((row) => row.due_at.getTime())
    expect(due).toEqual([0, 1, 2, 3, 4, 5].map((n) => check.dueAt(n)))
    expect(due[5]! - due[0]!).toBe(50_000)
  })

  it('stops running a check that is deactivated or deleted, and takes back what waits', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    await db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
    await plane.dispatch.checkChanged(check.id)
    await plane.clock.advance(120_000)
    expect(await agent.lease()).toEqual([])
    expect(plane.dispatch.depth()).toEqual({ waiting: 0, leased: 0, scheduled: 0 })
  })

  it('takes over a new frequency', async () => {
    const check = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    await db.pool.query(
      `UPDATE checks SET definition = definition || '{"frequency":0,"frequencyOffset":10}' WHERE id = $1`,
      [check.id],
    )
    await resolveSettings(db, check.accountId)
    await plane.dispatch.checkChanged(check.id)
    await plane.clock.advance(10_000)
    expect(await agent.lease()).toHaveLength(1)
  })

  it('runs checks without locations where the account says, also when it says something else', async () => {
    const check = await scheduled({ locations: null })
    await goTo(check.dueAt(0))
    const [job] = await agent.lease()
    expect(job?.location).toBe('eu-central-1')
    await agent.report(plane.clock, reportOf(job!))
    await db.pool.query(`UPDATE accounts SET default_locations = '{af-south-1}' WHERE id = $1`, [check.accountId])
    const changed = await resolveSettings(db, check.accountId)
    expect(changed).toEqual([check.id])
    await plane.dispatch.checksChanged(changed)
    await goTo(check.dueAt(1))
    expect((await agent.lease()).map(({ location }) => location)).toEqual(['af-south-1'])
  })
})

describe('overlaps', () => {
  it('drops and counts a tick while the run before is in flight, and goes on after its final result', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const jobs = await agent.lease()
    await goTo(check.dueAt(1))
    await agent.renew(jobs.map((job) => job.lease))
    expect(await agent.lease()).toEqual([])
    await passing(jobs)
    await goTo(check.dueAt(2))
    expect(await agent.lease()).toMatchObject([{ dueAt: check.dueAt(2) }])
    await plane.clock.advance(3000)
    expect(await overlapsOf(check.id)).toBe(1)
    expect((await resultsOf(check.id)).map((row) => row.due_at.getTime())).toEqual([check.dueAt(0)])
  })

  it('holds a parallel check up only where it is still running', async () => {
    const check = await scheduled({ locations: ['eu-west-1', 'us-east-1'], runParallel: true })
    await goTo(check.dueAt(0))
    const jobs = await agent.lease()
    await passing(jobs.filter((job) => job.location === 'us-east-1'))
    await agent.renew(jobs.map((job) => job.lease))
    await goTo(check.dueAt(1))
    expect(await agent.lease()).toMatchObject([{ location: 'us-east-1', dueAt: check.dueAt(1) }])
  })

  it('counts the back-off of a retry as part of the run', async () => {
    const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 90, maxRetries: 1, maxDurationSeconds: 600 }
    const check = await scheduled({ retryStrategy: { ...retryStrategy, sameRegion: true, onlyOn: [] } })
    await goTo(check.dueAt(0))
    const [job] = await agent.lease()
    await agent.report(plane.clock, reportOf(job!, { verdict: failed }))
    await goTo(check.dueAt(1))
    expect(await agent.lease()).toEqual([])
    const retries = await agent.lease(0).then(async (none) => {
      expect(none).toEqual([])
      await goTo(check.dueAt(0) + 95_000)
      return agent.lease()
    })
    expect(retries).toMatchObject([{ attempt: 1, dueAt: check.dueAt(0) }])
    await passing(retries)
    expect((await resultsOf(check.id)).map((row) => row.result_type).toSorted()).toEqual(['ATTEMPT', 'FINAL'])
    await goTo(check.dueAt(2))
    expect(await agent.lease()).toMatchObject([{ attempt: 0, dueAt: check.dueAt(2) }])
  })
})

describe('runs that are asked for', () => {
  it('run at once, whatever the schedule says', async () => {
    const check = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    const run = await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
    await plane.clock.advance(0)
    const jobs = await agent.lease()
    expect(jobs.map((job) => job.attemptId)).toEqual(run?.resultIds)
    expect(jobs[0]?.dueAt).toBe(run?.checkRunId)
    await passing(jobs)
    expect(await resultsOf(check.id)).toHaveLength(1)
    expect((await db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
  })

  it('have due times of their own, however many are asked for in one millisecond', async () => {
    const check = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    const runs = await Promise.all([1, 2, 3].map(() => plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')))
    expect(new Set(runs.map((run) => run?.checkRunId)).size).toBe(3)
  })

  it('are refused for a check that does not run, is not there or is another account’s', async () => {
    const check = await scheduled()
    expect(await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW', randomUUID())).toBeUndefined()
    expect(await plane.dispatch.requestRun(randomUUID(), 'SCHEDULE_NOW')).toBeUndefined()
    await db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
    expect(await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')).toBeUndefined()
  })

  it('survive a crash, and end as missed when they are older than six minutes by then', async () => {
    const young = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    const old = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    const oldRun = await plane.dispatch.requestRun(old.id, 'SCHEDULE_NOW')
    await plane.clock.advance(260_000)
    const youngRun = await plane.dispatch.requestRun(young.id, 'SCHEDULE_NOW')
    const clock = await crash()
    await clock.advance(110_000)
    await start(clock)
    await clock.advance(1000)
    expect((await agent.lease()).map((job) => job.attemptId)).toEqual(youngRun?.resultIds)
    expect(await resultsOf(old.id)).toMatchObject([{ outcome: 'unknown', result_type: 'FINAL' }])
    expect((await resultsOf(old.id))[0]?.due_at.getTime()).toBe(oldRun?.checkRunId)
  })
})

describe('a check that was to run at once', () => {
  it('does so after a crash that came before anyone asked for its run, and once', async () => {
    const frequency = { frequency: 1440, frequencyOffset: 1 }
    const check = await givenCheck(plane, { definition: frequency })
    const renamed = await scheduled(frequency)
    await plane.dispatch.requestRun(renamed.id, 'SCHEDULE_NOW')
    const clock = await crash()
    await start(clock)
    await clock.advance(1000)
    const jobs = await agent.lease()
    expect(jobs.map((job) => job.checkId).toSorted()).toEqual([check.id, renamed.id].toSorted())
    await passing(jobs)
    await crash()
    await start(clock)
    await clock.advance(1000)
    expect(await agent.lease()).toEqual([])
  })
})

describe('a pause of the plane', () => {
  it('becomes one gap, after which each check gets its latest slot and no flood', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    await passing(await agent.lease())
    await plane.clock.advance(5000)
    const died = plane.clock.now()
    const clock = await crash()
    clock.jump(check.dueAt(30) + 10_000 - clock.now())
    await start(clock)
    await clock.advance(0)
    const jobs = await agent.lease()
    expect(jobs).toMatchObject([{ dueAt: check.dueAt(30) }])
    const [gap, ...others] = await (async () => {
      await clock.advance(3000)
      return gaps()
    })()
    expect(others).toEqual([])
    expect(gap!.from).toBeGreaterThan(check.dueAt(0))
    expect(gap!.from).toBeLessThanOrEqual(died)
    expect(gap!.to).toBeGreaterThanOrEqual(check.dueAt(30) + 10_000)
    expect(gap!.to).toBeLessThanOrEqual(check.dueAt(30) + 15_000)
  })

  it('begins when the schedule was last written down, whatever was in flight, and each such run has its own end', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    expect(await agent.lease()).toHaveLength(1)
    await goTo(check.dueAt(0) + 20_000)
    const died = plane.clock.now()
    const clock = await crash()
    clock.jump(600_000)
    await start(clock)
    await clock.advance(3000)
    expect((await gaps())[0]!.from).toBeGreaterThan(died - 8000)
    expect((await gaps())[0]!.from).toBeLessThanOrEqual(died)
    expect(await resultsOf(check.id)).toMatchObject([
      { due_at: new Date(check.dueAt(0)), outcome: 'unknown', result_type: 'FINAL' },
    ])
    await clock.advance(3000)
    expect((await db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
  })

  it('lets a run in flight go on where it is', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const [job] = await agent.lease()
    await goTo(check.dueAt(0) + 20_000)
    const clock = await crash()
    plane = await givenPlane(db, clock)
    agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
    await clock.advance(5000)
    await agent.hello([job!.attemptId])
    expect(await agent.lease()).toEqual([])
    await passing([job!])
    await clock.advance(3000)
    expect(await resultsOf(check.id)).toMatchObject([{ outcome: 'pass', result_type: 'FINAL' }])
    expect((await db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
  })

  it('hands a run in flight out again when its agent is gone, once', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const [job] = await agent.lease()
    await goTo(check.dueAt(0) + 20_000)
    const clock = await crash()
    await start(clock)
    const jobs = await agent.lease()
    expect(jobs.map(({ attemptId }) => attemptId)).toEqual([job!.attemptId])
    await passing(jobs)
    await crash()
    await start(clock)
    expect(await agent.lease()).toEqual([])
    expect(await resultsOf(check.id)).toHaveLength(1)
    expect((await db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
  })

  it('is covered once, even when others begin before the runs from before it have ended', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0) + 1000)
    for (let pause = 1; pause <= 3; pause++) {
      const clock = await crash()
      clock.jump(5000)
      await start(clock)
      expect(await agent.lease()).toMatchObject([{ dueAt: check.dueAt(0) }])
      await clock.advance(3000)
    }
    const found = await gaps()
    expect(found[0]!.from).toBeLessThanOrEqual(check.dueAt(0))
    expect(found).toHaveLength(3)
    for (const [at, { to }] of found.slice(0, 2).entries()) expect(found[at + 1]!.from).toBeGreaterThan(to)
  })

  it('is covered once, even when the start takes so long that slots pass', async () => {
    const check = await scheduled({ frequency: 0, frequencyOffset: 10 })
    await goTo(check.dueAt(0))
    await passing(await agent.lease())
    const { clock } = plane
    await plane.stop()
    clock.jump(25_000)
    plane = await givenPlane(db, clock)
    const startedAt = clock.now()
    clock.jump(30_000)
    await clock.advance(3000)
    const [first, second, ...others] = await gaps()
    expect(others).toEqual([])
    expect(first).toMatchObject({ to: startedAt })
    expect(second!.from).toBeGreaterThan(startedAt)
    expect(second!.to).toBeLessThan(clock.now())
  })

  it('does not run a slot again that has its result', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    await passing(await agent.lease())
    const clock = await crash()
    await start(clock)
    await clock.advance(1000)
    expect(await agent.lease()).toEqual([])
    await goTo(check.dueAt(1))
    expect(await agent.lease()).toHaveLength(1)
  })

  it('takes a result whose lease is from before the crash', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const [job] = await agent.lease()
    const clock = await crash()
    await start(clock)
    const answer = await agent.report(clock, reportOf(job!))
    expect(answer.body).toMatchObject({ accepted: [job!.attemptId], rejected: [] })
    expect(await resultsOf(check.id)).toMatchObject([{ outcome: 'pass' }])
  })

  it('of a suspended host is one gap of the slots that were not run', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    await passing(await agent.lease())
    plane.clock.jump(check.dueAt(10) + 5 - plane.clock.now())
    await plane.clock.advance(2000)
    expect(await agent.lease()).toMatchObject([{ dueAt: check.dueAt(10) }])
    await plane.clock.advance(3000)
    expect(await gaps()).toEqual([{ from: check.dueAt(1), to: check.dueAt(9) }])
  })
})

describe('a location without agents', () => {
  const gapRows = async () =>
    (
      await db.pool.query<{ scope: string; location: string | null; from_at: Date; to_at: Date }>(
        'SELECT scope, location, from_at, to_at FROM coverage_gaps ORDER BY id',
      )
    ).rows

  it('is one gap that grows, instead of a lost run for each slot, and ends when an agent is back', async () => {
    const check = await scheduled()
    await plane.clock.advance(900_000)
    const last = slotAtOrAfter(check.schedule, plane.clock.now())
    await goTo(dueAt(check.schedule, last) + 3000)
    const [gap, ...others] = await gapRows()
    expect(others).toEqual([])
    expect(gap).toMatchObject({ scope: 'location', location: 'eu-west-1' })
    // Two runs that waited for six minutes, and the first slot that was refused.
    expect((await resultsOf(check.id)).length).toBeLessThanOrEqual(3)
    expect(gap?.to_at.getTime()).toBe(dueAt(check.schedule, last))
    await agent.lease()
    await goTo(dueAt(check.schedule, last + 1))
    expect(await agent.lease()).toMatchObject([{ dueAt: dueAt(check.schedule, last + 1) }])
    await plane.clock.advance(3000)
    expect(await gapRows()).toEqual([gap])
  })
})

describe('lost runs', () => {
  it('that no agent took within six minutes end as not known, and the check goes on', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0) + 365_000)
    await plane.clock.advance(2000)
    expect(await resultsOf(check.id)).toMatchObject([
      { outcome: 'unknown', result_type: 'FINAL', cause: expect.stringContaining('6 minutes') },
    ])
    await plane.clock.advance(60_000)
    expect(await agent.lease()).toMatchObject([{ checkId: check.id }])
  })

  it('whose agent vanished are tried once more by another agent', async () => {
    const check = await scheduled({ frequency: 1440, frequencyOffset: 1 })
    await plane.dispatch.requestRun(check.id, 'SCHEDULE_NOW')
    await plane.clock.advance(0)
    const [first] = await agent.lease()
    await plane.clock.advance(32_000)
    const other = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
    const [second] = await other.lease()
    expect(second?.attemptId).toBe(first?.attemptId)
    await plane.clock.advance(32_000)
    await plane.clock.advance(1000)
    expect(await resultsOf(check.id)).toMatchObject([{ outcome: 'unknown', result_type: 'FINAL' }])
  })

  it('do not hold up the next slot when that is due already', async () => {
    const check = await scheduled({ frequency: 0, frequencyOffset: 10 })
    await goTo(check.dueAt(0))
    expect(await agent.lease()).toHaveLength(1)
    await plane.clock.advance(33_000)
    expect(await resultsOf(check.id)).toMatchObject([{ outcome: 'unknown' }])
    await plane.clock.advance(10_000)
    expect(await agent.lease()).toHaveLength(1)
  })

  it('that an agent renews without end are taken from it, and the check goes on', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const jobs = await agent.lease()
    const leases = jobs.map(({ lease }) => lease)
    for (let n = 0; n < 18; n++) {
      await agent.renew(leases)
      await plane.clock.advance(10_000)
    }
    expect((await agent.renew(leases)).body.cancelled).toEqual(jobs.map(({ attemptId }) => attemptId))
    expect((await resultsOf(check.id))[0]).toMatchObject({ due_at: new Date(check.dueAt(0)), outcome: 'unknown' })
    expect(await agent.lease()).toMatchObject([{ checkId: check.id }])
  })

  it('that an agent goes on renewing after a restart are bounded as well', async () => {
    const check = await scheduled()
    await goTo(check.dueAt(0))
    const leases = (await agent.lease()).map(({ lease }) => lease)
    await goTo(check.dueAt(0) + 20_000)
    const clock = await crash()
    plane = await givenPlane(db, clock)
    agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
    await clock.advance(5000)
    for (let n = 0; n < 18; n++) {
      await agent.renew(leases)
      await clock.advance(10_000)
    }
    expect((await resultsOf(check.id))[0]).toMatchObject({ due_at: new Date(check.dueAt(0)), outcome: 'unknown' })
    expect(await agent.lease()).toMatchObject([{ checkId: check.id }])
  })

  it('that we could not prepare end as not known', async () => {
    const check = await givenCheck(plane, { secrets: { 'request.basicAuth.password': 'not sealed by us' } })
    await plane.dispatch.checkChanged(check.id)
    await plane.clock.advance(60_000)
    expect(await agent.lease()).toEqual([])
    await plane.clock.advance(1000)
    expect(await resultsOf(check.id)).toMatchObject([{ outcome: 'unknown', result_type: 'FINAL' }])
  })
})
