import { afterEach, beforeEach, expect, test } from 'vitest'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { givenPlane, TestAgent, type Plane } from '../../../test-support/plane.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { healthyFacts } from '../../../test-support/health.ts'
import { failed, reportOf } from '../../../test-support/reports.ts'
import { testVault } from '../../../test-support/vault.ts'
import { createSender, type Sender } from '../../alerting/index.ts'
import { troublesOf } from '../troubles/troubles.ts'
import { canaryChannel } from './canary-channel.ts'
import { canaryAccount, canaryCheckId, checksOfUsers } from './canary-check.ts'
import { canary, type Canary } from './canary.ts'

const database = useEmptiedDatabase()
let plane: Plane
let agent: TestAgent
let sender: Sender
let bird: Canary

beforeEach(async () => {
  const all = 'accounts, agent_keys, coverage_gaps, leadership, check_results, check_alerts'
  await database.db.pool.query(`TRUNCATE ${all} CASCADE`)
  await start(await givenPlane(database.db))
})
afterEach(stop)

async function start(on: Plane): Promise<void> {
  plane = on
  const { db, clock, dispatch } = plane
  agent = new TestAgent(plane, await plane.agents.keys.mintBuiltin('this server'))
  sender = createSender({
    db: databaseAtTimeOf(db, clock),
    clock,
    vault: testVault,
    kinds: [canaryChannel],
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    settings: {},
    baseUrl: () => 'http://v',
  })
  bird = canary({ db, clock, isOn: true, locations: () => plane.agents.keys.unclaimed(), schedule: dispatch })
  await bird.start()
  await agent.hello()
  sender.start()
}

async function stop(): Promise<void> {
  await sender.stop()
  await plane.stop()
}

/** The agent takes what waits and reports that it failed; then notifications are delivered. */
async function fly(): Promise<void> {
  await plane.clock.advance(1000)
  const jobs = await agent.lease()
  if (jobs.length === 0) throw new Error('No run waits.')
  for (const job of jobs) await agent.report(plane.clock, reportOf(job, { verdict: failed }))
  sender.wake()
  // The sender works over connections of its own, which the clock does not wait for.
  while (await isUnderWay()) await plane.clock.advance(10)
}

const isUnderWay = async () => {
  const waiting = `SELECT 1 FROM alert_notifications WHERE status = 'IN_PROGRESS'`
  return (await database.db.pool.query(waiting)).rows.length > 0
}

const troubles = async () =>
  troublesOf({ ...healthyFacts(), now: plane.clock.now(), canary: await bird.condition() }).map(({ code }) => code)

test('the first one flies at the start, arrives as an accepted notification, and the next one does too', async () => {
  await fly()
  const first = await bird.condition()
  expect(first).toMatchObject({ acceptedAt: expect.any(Number) as number, failure: null })
  const started = await bird.run()
  expect(started).toMatchObject({ outcome: 'running' })
  await fly()
  const arrived = await bird.read(started?.checkRunId ?? 0)
  expect(arrived.outcome).toBe('accepted')
  expect(arrived.steps.map(({ name }) => name)).toEqual([
    'schedule',
    'agent',
    'verdict',
    'ingest',
    'state',
    'outbox',
    'channel',
  ])
  expect(arrived.steps.every(({ at }) => at !== null)).toBe(true)
})

test('one that no agent takes ends at that step, and the signal says so', async () => {
  const started = await bird.run()
  await plane.clock.advance(7 * 60_000)
  expect(await bird.read(started?.checkRunId ?? 0)).toMatchObject({
    outcome: 'failed',
    failure: expect.stringContaining('before the step "agent"') as string,
  })
  expect(await bird.condition()).toMatchObject({ failure: expect.stringContaining('"agent"') as string })
})

test('it belongs to nobody: no other account has its check, and no channel hears of it', async () => {
  const { rows } = await database.db.pool.query<{ account_id: string; type: string }>(
    `SELECT account_id, type FROM checks UNION ALL SELECT account_id, type FROM alert_channels`,
  )
  expect(rows.filter(({ account_id }) => account_id === canaryAccount).map(({ type }) => type)).toEqual([
    'TCP',
    'CANARY',
  ])
  expect(
    (await database.db.pool.query('SELECT 1 FROM memberships WHERE account_id = $1', [canaryAccount])).rows,
  ).toEqual([])
})

test('it is in the schedule and counts as no check of users', () => {
  const { checks } = plane.dispatch.condition()
  expect([checks.length, checksOfUsers(checks)]).toEqual([1, 0])
})

test('when it is off it neither runs nor counts', async () => {
  const { db, clock, dispatch } = plane
  const off = canary({ db, clock, isOn: false, locations: () => Promise.resolve(new Set()), schedule: dispatch })
  await off.start()
  expect(await off.run()).toBeUndefined()
  expect(await off.condition()).toBeNull()
})

const dayAndMore = 27 * 3_600_000

test('a server that was off for more than a day begins with a new one instead of an alert', async () => {
  await fly()
  expect(await troubles()).toEqual([])
  await stop()
  plane.clock.jump(dayAndMore)
  await start(await givenPlane(database.db, plane.clock))
  await plane.clock.advance(40_000)
  expect(await troubles()).toEqual([])
  await fly()
  expect(await bird.condition()).toMatchObject({ failure: null, awaitedMs: null })
})

test('after the host was suspended for more than a day, or its clock was set, another one flies before anybody is alerted', async () => {
  await fly()
  expect(await troubles()).toEqual([])
  plane.clock.setWall(dayAndMore)
  expect(await troubles()).toEqual([])
  // A clock that was set is noticed by the schedule within ten seconds.
  await plane.clock.advance(10_000)
  expect(await troubles()).toEqual([])
  await fly()
  expect(await bird.condition()).toMatchObject({ failure: null, awaitedMs: null })
})

test('an overdue one that does not arrive either is alerted', async () => {
  await fly()
  expect(await troubles()).toEqual([])
  plane.clock.setWall(dayAndMore)
  // The lead may be lost for a moment: it counts from the next look.
  for (let n = 0; n < 24; n++) {
    await bird.condition()
    await plane.clock.advance(30_000)
  }
  expect(await troubles()).toEqual(['CANARY_FAILED'])
})

test('a canary that does not arrive after the clock was set back by days is told of', async () => {
  await fly()
  expect(await troubles()).toEqual([])
  plane.clock.setWall(-3 * 24 * 3_600_000)
  await plane.clock.advance(10_000)
  await bird.run()
  // No agent takes it.
  for (let n = 0; n < 15; n++) {
    await plane.clock.advance(60_000)
    await bird.condition()
  }
  expect(await troubles()).toEqual(['CANARY_FAILED'])
})

test('while one is under way no other is started', async () => {
  await fly()
  const [first, second] = [await bird.run(), await bird.run()]
  expect(second?.checkRunId).toBe(first?.checkRunId)
  await fly()
  await plane.clock.advance(200_000)
  expect(await bird.read(first?.checkRunId ?? 0)).toMatchObject({ outcome: 'accepted', failure: null })
  expect(await troubles()).toEqual([])
})

test('the daily one that fails while another was just alerted counts as arrived with it', async () => {
  await fly()
  const started = await bird.run()
  await fly()
  // Not by the canary itself: as the schedule does it.
  const daily = await plane.dispatch.requestRun(canaryCheckId, 'SCHEDULE_NOW')
  await fly()
  await plane.clock.advance(200_000)
  expect(daily?.checkRunId).not.toBe(started?.checkRunId)
  expect(await bird.read(daily?.checkRunId ?? 0)).toMatchObject({ outcome: 'accepted', failure: null })
  expect(await troubles()).toEqual([])
})

test('one that cannot be started is told of, too', async () => {
  await fly()
  const { db, clock, dispatch } = plane
  const schedule = {
    isLeading: () => dispatch.isLeading(),
    checkChanged: () => Promise.resolve(),
    requestRun: () => Promise.reject(new Error('canceling statement due to lock timeout')),
  }
  bird = canary({ db, clock, isOn: true, locations: () => plane.agents.keys.unclaimed(), schedule })
  clock.setWall(dayAndMore)
  for (let n = 0; n < 24; n++) {
    await bird.condition().catch(() => undefined)
    await clock.advance(30_000)
  }
  expect(await troubles()).toEqual(['CANARY_FAILED'])
})
