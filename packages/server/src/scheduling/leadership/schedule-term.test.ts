import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../../test-support/plane.ts'
import { reportOf } from '../../../test-support/reports.ts'
import { scheduledCheck, schedulerOf } from '../../../test-support/schedule.ts'
import type { CommittedResult, PendingRun, RunRef } from '../../runs.ts'
import { followResults, type EndingParts } from '../end-runs.ts'
import { Outlook } from '../outlook.ts'
import { RunLedger } from '../run-ledger.ts'
import { runRequests } from '../requests/run-requests.ts'

const minute = 60_000
const database = useEmptiedDatabase()
let plane: Plane | undefined

beforeEach(() => forgetChecks(database.db))
afterEach(async () => {
  await plane?.stop()
  plane = undefined
})

/** As on PostgreSQL, where only the lease separates servers. */
const shared = (): Database => ({ ...database.db, kind: 'postgresql' })

describe('while the leader doubts its lease', () => {
  /** The process stands still for longer than its lease. Nobody takes over, and its term goes on. */
  async function givenDoubt(): Promise<Plane> {
    plane = await givenPlane(shared())
    await plane.clock.advance(5000)
    expect(plane.dispatch.isLeading()).toBe(true)
    plane.clock.jump(2500)
    expect(plane.dispatch.isLeading()).toBe(false)
    return plane
  }

  it('a check that is changed comes into the schedule of the term that goes on', async () => {
    const { clock, dispatch } = await givenDoubt()
    const check = await givenCheck(plane!)
    await dispatch.checkChanged(check.id)
    await clock.advance(3000)
    expect(dispatch.isLeading()).toBe(true)
    expect(dispatch.depth().scheduled).toBe(1)
  })

  it('a check that is deactivated leaves it', async () => {
    plane = await givenPlane(shared())
    const check = await givenCheck(plane)
    await plane.clock.advance(5000)
    await plane.dispatch.checkChanged(check.id)
    expect(plane.dispatch.depth().scheduled).toBe(1)
    plane.clock.jump(2500)
    await database.db.pool.query('UPDATE checks SET activated = false WHERE id = $1', [check.id])
    await plane.dispatch.checkChanged(check.id)
    expect(plane.dispatch.depth().scheduled).toBe(0)
  })

  it('a run that another server has stored is started', async () => {
    plane = await givenPlane(shared())
    const check = await givenCheck(plane)
    await plane.clock.advance(5000)
    await plane.dispatch.checkChanged(check.id)
    plane.clock.jump(2500)
    const standby = {
      db: database.db,
      clock: plane.clock,
      ready: () => Promise.resolve(),
      onRequested: () => undefined,
    }
    await runRequests(standby).requestRun(check.id, 'SCHEDULE_NOW')
    await plane.dispatch.runsRequested([check.id])
    await plane.clock.advance(3000)
    expect(plane.dispatch.depth().waiting).toBe(1)
  })
})

/** The statement that reads the checks fails once. */
function failingOnce(db: Database): Database {
  let failures = 1
  const query = (...call: unknown[]) => {
    const isLoad = typeof call[0] === 'string' && call[0].includes('ORDER BY c.id LIMIT')
    if (isLoad && failures-- > 0) return Promise.reject(new Error('The database is away.'))
    return (db.pool.query as (...all: unknown[]) => Promise<unknown>)(...call)
  }
  return { ...db, pool: { query } as unknown as Database['pool'] }
}

describe('a schedule that could not be read', () => {
  it('is read again by the next term, and holds up nobody until then', async () => {
    plane = await givenPlane(failingOnce(shared()))
    const { clock, dispatch } = plane
    const check = await givenCheck({ clock, db: database.db })
    expect(dispatch.isLeading()).toBe(false)
    await expect(dispatch.checkChanged(check.id)).resolves.toBeUndefined()
    await clock.advance(5000)
    expect(dispatch.isLeading()).toBe(true)
    expect(dispatch.depth().scheduled).toBe(1)
  })
})

describe('a term that begins after the clock was set back', () => {
  /** Runs and passes the check for a while; answers the ids of its runs. */
  async function run({ clock }: Plane, agent: TestAgent, seconds: number): Promise<string[]> {
    const ids: string[] = []
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1000)
      const jobs = await agent.lease()
      if (jobs.length === 0) continue
      await agent.report(clock, ...jobs.map((job) => reportOf(job)))
      ids.push(...jobs.map(({ attemptId }) => attemptId))
    }
    return ids
  }

  async function agentOf(of: Plane): Promise<TestAgent> {
    const agent = new TestAgent(of, await of.agents.keys.mintBuiltin('test'))
    await agent.hello()
    return agent
  }

  it('gives no run the id of one that was before, and stores the result of each', async () => {
    plane = await givenPlane(database.db)
    const { clock } = plane
    const check = await givenCheck(plane, { definition: { frequency: 0, frequencyOffset: 10 } })
    await plane.dispatch.checkChanged(check.id)
    const ids = await run(plane, await agentOf(plane), 150)
    for (let leap = 0; leap < 2; leap++) {
      clock.setWall(-120_000)
      ids.push(...(await run(plane, await agentOf(plane), 20)))
      await plane.crash()
      plane = await givenPlane(database.db, clock)
      await clock.advance(5000)
      ids.push(...(await run(plane, await agentOf(plane), 30)))
    }
    expect(ids.length).toBeGreaterThan(20)
    expect(new Set(ids).size).toBe(ids.length)
    const { rows } = await database.db.pool.query('SELECT id FROM check_results WHERE check_id = $1', [check.id])
    expect(rows.length).toBeGreaterThanOrEqual(ids.length)
  })
})

const aCheck = scheduledCheck()

function givenScheduler(clock: TestClock, ledger: RunLedger) {
  const started: RunRef[] = []
  let overlaps = 0
  const enqueue = (refs: readonly RunRef[]) => {
    started.push(...refs)
    ledger.end(refs.map(({ attemptId }) => attemptId))
    return Promise.resolve()
  }
  const scheduler = schedulerOf({
    clock,
    queue: { enqueue, supersede: () => Promise.resolve(), giveUpAt: () => Promise.resolve() },
    ledger,
    onOverlap: () => overlaps++,
  })
  return { scheduler, started, overlaps: () => overlaps }
}

it('a retry announced after the term ended does not block its check in the next term', async () => {
  const clock = new TestClock()
  const ledger = new RunLedger(clock)
  const { scheduler, started, overlaps } = givenScheduler(clock, ledger)
  // The answer to a COMMIT of the last term comes only now. Another server leads and runs the retry.
  const ref = { attemptId: randomUUID(), checkId: aCheck.checkId, location: 'eu-west-1', attempt: 1 }
  const retry = { ...aCheck, ...ref, sequenceId: randomUUID(), dueAt: clock.now(), runAt: clock.now() + 1000 }
  const parts = { ledger, outlook: new Outlook(), scheduler } as unknown as EndingParts
  followResults(parts, [
    { resultId: randomUUID(), checkId: aCheck.checkId, retry: retry as unknown as PendingRun } as CommittedResult,
  ])
  await clock.advance(5 * minute)
  scheduler.start([aCheck], [], clock.now())
  await clock.advance(60 * minute)
  scheduler.stop()
  expect([started.length, overlaps()]).toEqual([60, 0])
})
