import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { endNotifications, givenMailChannel, notificationsOf } from '../../test-support/alerts.ts'
import type { GivenCheck } from '../../test-support/checks.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'
import { claimDue, renewPlans } from '../alerting/delivery/outbox-store.ts'

const database = useDatabase()
const setup = useIngest(database, { over: databaseAtTimeOf })
const minute = 60_000
let check: GivenCheck
let channel: number

beforeEach(async () => {
  check = await setup.given()
  channel = await givenMailChannel(database, check)
})

async function runs(...outcomes: ('pass' | 'fail' | 'unknown')[]): Promise<void> {
  for (const outcome of outcomes) {
    await setup.clock.advance(minute)
    const at = setup.clock.now()
    const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
    await setup.take([incomingResult(check, at, { outcome, receivedAt: at, identity })])
  }
}

const settle = (status: string) => endNotifications(database, { check, channel, status })
const told = async () => (await notificationsOf(database, check)).map(({ type }) => type)

it('a failure that waits to be sent is sent at once', async () => {
  await runs('pass', 'fail')
  setup.clock.setWall(-60 * minute)
  await renewPlans(setup.db.pool)
  const claim = { holder: 'test', leaseMs: minute, limit: 1000, perChannel: 10, underWay: [] }
  const claimed = await claimDue(setup.db.pool, claim)
  expect(claimed.map(({ check_id: id }) => id)).toContain(check.id)
})

it('the end of a trouble is told also when its times are before the end of an earlier one', async () => {
  await runs('pass', 'fail', 'pass')
  await settle('SUCCESS')
  setup.clock.setWall(-60 * minute)
  await runs('pass', 'fail')
  await settle('SUCCESS')
  await runs('pass')
  expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE', 'ALERT_RECOVERY'])
})

it('the end of a trouble is not told to a channel that knows only of an earlier one, whose times are later', async () => {
  await runs('pass', 'fail')
  await settle('SUCCESS')
  await runs('pass')
  await settle('SUCCESS')
  setup.clock.setWall(-60 * minute)
  await runs('pass', 'fail')
  await settle('FAILURE')
  await runs('pass')
  expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE'])
})

it('a channel that was told again during the trouble is not told once more', async () => {
  await runs('pass', 'fail')
  await settle('FAILURE')
  setup.clock.setWall(-60 * minute)
  await runs('fail')
  await settle('SUCCESS')
  await runs('fail', 'fail', 'fail')
  expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_FAILURE'])
})

it('a channel that accepts nothing is told again, at the same pauses', async () => {
  await runs('pass', 'fail')
  await settle('FAILURE')
  setup.clock.setWall(-60 * minute)
  const at: number[] = []
  for (let passed = 1; passed <= 9; passed++) {
    await runs('fail')
    if ((await settle('FAILURE')) > 0) at.push(passed)
  }
  expect(at).toEqual([1, 2, 4, 8])
})
