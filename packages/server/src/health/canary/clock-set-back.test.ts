import { afterEach, beforeEach, expect, test } from 'vitest'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { givenPlane, TestAgent, type Plane } from '../../../test-support/plane.ts'
import { healthyFacts } from '../../../test-support/health.ts'
import { failed, reportOf } from '../../../test-support/reports.ts'
import { testVault } from '../../../test-support/vault.ts'
import { createSender, type Sender } from '../../alerting/index.ts'
import { troublesOf } from '../troubles/troubles.ts'
import { canaryChannel } from './canary-channel.ts'
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
    db,
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
  for (let turn = 0; turn < 50; turn++) await plane.clock.advance(10)
}

const troubles = async () =>
  troublesOf({ ...healthyFacts(), now: plane.clock.now(), canary: await bird.condition() }).map(({ code }) => code)

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
