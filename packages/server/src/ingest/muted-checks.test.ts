import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { givenMailChannel, notificationsOf } from '../../test-support/alerts.ts'
import type { GivenCheck } from '../../test-support/checks.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { resolveSettings, useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useDatabase()
const setup = useIngest(database, { over: databaseAtTimeOf })
const minute = 60_000
let check: GivenCheck

beforeEach(async () => {
  check = await setup.given()
  await givenMailChannel(database, check)
})

async function runs(...outcomes: ('pass' | 'fail' | 'unknown')[]): Promise<void> {
  for (const outcome of outcomes) {
    await setup.clock.advance(minute)
    const at = setup.clock.now()
    const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
    await setup.take([incomingResult(check, at, { outcome, receivedAt: at, identity })])
  }
}

async function mute(minutes: number | null): Promise<void> {
  await database.db.pool.query(
    `UPDATE checks SET definition = definition || '{"muted": true}', muted_until = $2 WHERE id = $1`,
    [check.id, minutes === null ? null : new Date(setup.clock.now() + minutes * minute)],
  )
  await resolveSettings(database.db, check.accountId)
}
const told = async () => (await notificationsOf(database, check)).map(({ type }) => type)

describe('a check that is muted for a while', () => {
  it('is not told of, and its alerts are recorded', async () => {
    await mute(10)
    await runs('pass', 'fail', 'fail', 'pass')
    expect(await told()).toEqual([])
    expect(await setup.alertsOf(check)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('is told of at its first bad run after that, once', async () => {
    await mute(3.5)
    await runs('pass', 'fail', 'fail')
    expect(await told()).toEqual([])
    await runs('fail')
    expect((await told()).length).toBe(1)
    await runs('fail', 'fail')
    expect((await told()).length).toBe(1)
    await runs('pass')
    expect((await told()).at(-1)).toBe('ALERT_RECOVERY')
  })

  it('is told of after it ended while the server was away', async () => {
    await mute(30)
    await runs('pass', 'fail')
    await setup.ingest.stop()
    setup.clock.jump(60 * minute)
    const next = setup.open(setup.db)
    const at = setup.clock.now()
    const identity = { sequenceId: randomUUID(), attemptId: randomUUID() }
    await setup.take([incomingResult(check, at, { outcome: 'fail', receivedAt: at, identity })], next)
    await next.stop()
    expect((await told()).length).toBe(1)
  })

  it('is muted again when the clock of the server is set back before the end', async () => {
    await mute(10)
    setup.clock.setWall(20 * minute)
    await runs('fail')
    expect(await told()).toEqual(['ALERT_FAILURE'])
    setup.clock.setWall(-20 * minute)
    await runs('pass', 'fail')
    expect(await told()).toEqual(['ALERT_FAILURE'])
  })

  it('is not told of as long as it is muted for good', async () => {
    await mute(1)
    await mute(null)
    await runs('fail', 'fail', 'fail')
    expect(await told()).toEqual([])
  })
})
