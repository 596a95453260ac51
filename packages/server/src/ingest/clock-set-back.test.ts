import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { givenChannel } from '../../test-support/alerts.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { TestClock } from '../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { incomingResult } from '../../test-support/results.ts'
import { testVault as vault } from '../../test-support/vault.ts'
import { claimDue, renewPlans } from '../alerting/delivery/outbox-store.ts'
import type { Database } from '../db/database.ts'
import { Ingest } from './ingest.ts'

const database = useDatabase()
const minute = 60_000
const start = Math.floor(Date.now() / 1000) * 1000

let clock: TestClock
let db: Database
let ingest: Ingest
let check: GivenCheck
let channel: number

beforeEach(async () => {
  clock = new TestClock(start)
  db = databaseAtTimeOf(database.db, clock)
  check = await givenCheck(database, { accountId: await givenAccount(database.db) })
  ingest = new Ingest({ db, clock })
  channel = await listener()
})
afterEach(() => ingest.stop())

const listener = () =>
  givenChannel(
    { db: database.db, vault },
    { accountId: check.accountId, checkId: check.id },
    { type: 'EMAIL', config: { address: 'a@example.org' } },
  )

async function runs(...outcomes: ('pass' | 'fail' | 'unknown')[]): Promise<void> {
  for (const outcome of outcomes) {
    await clock.advance(minute)
    const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
    const accepted = ingest.accept([incomingResult(check, clock.now(), { outcome, receivedAt: clock.now(), identity })])
    await clock.advance(500)
    await accepted
  }
}

const settle = (status: string, id = channel) =>
  db.pool.query(
    `UPDATE alert_notifications SET status = $3 WHERE check_id = $1 AND channel_id = $2 AND status = 'IN_PROGRESS'`,
    [check.id, id, status],
  )

async function told(id = channel): Promise<string[]> {
  const { rows } = await db.pool.query<{ type: string }>(
    `SELECT message->>'alertType' AS type FROM alert_notifications WHERE check_id = $1 AND channel_id = $2 ORDER BY seq`,
    [check.id, id],
  )
  return rows.map(({ type }) => type)
}

it('a failure that waits to be sent is sent at once', async () => {
  await runs('pass', 'fail')
  clock.setWall(-60 * minute)
  await renewPlans(db.pool)
  const claim = { holder: 'test', leaseMs: minute, limit: 1000, perChannel: 10, underWay: [] }
  const claimed = await claimDue(db.pool, claim)
  expect(claimed.map(({ check_id: id }) => id)).toContain(check.id)
})

it('the end of a trouble is told also when its times are before the end of an earlier one', async () => {
  await runs('pass', 'fail', 'pass')
  await settle('SUCCESS')
  clock.setWall(-60 * minute)
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
  clock.setWall(-60 * minute)
  await runs('pass', 'fail')
  await settle('FAILURE')
  await runs('pass')
  expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE'])
})

it('a channel that was told again during the trouble is not told once more', async () => {
  await runs('pass', 'fail')
  await settle('FAILURE')
  clock.setWall(-60 * minute)
  await runs('fail')
  await settle('SUCCESS')
  await runs('fail', 'fail', 'fail')
  expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_FAILURE'])
})

it('a channel that accepts nothing is told again, at the same pauses', async () => {
  await runs('pass', 'fail')
  await settle('FAILURE')
  clock.setWall(-60 * minute)
  const at: number[] = []
  for (let passed = 1; passed <= 9; passed++) {
    await runs('fail')
    if ((await settle('FAILURE')).rowCount) at.push(passed)
  }
  expect(at).toEqual([1, 2, 4, 8])
})
