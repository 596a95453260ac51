import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { endNotifications, givenMailChannel, notificationsOf, type GivenChannel } from '../../test-support/alerts.ts'
import { redefine, type GivenCheck } from '../../test-support/checks.ts'
import { letPromisesRun } from '../../test-support/clock.ts'
import { countDatabaseWork } from '../../test-support/database-work.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { useDatabase } from '../../test-support/database.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult, type ResultParts } from '../../test-support/results.ts'
import { notificationIdOf } from '../alerting/notifications/new-alert.ts'
import { Reminders } from '../alerting/reminders/reminders.ts'

const database = useDatabase()
const setup = useIngest(database, { over: databaseAtTimeOf })
const { counting, settle: settled } = countDatabaseWork()
const minute = 60_000
let check: GivenCheck

beforeEach(async () => {
  check = await setup.given()
})

type Run = 'pass' | 'fail' | 'degraded'

const resultOf = (run: Run, dueAt: number, more: Partial<ResultParts> = {}) =>
  incomingResult(check, dueAt, {
    outcome: run === 'degraded' ? 'pass' : run,
    degraded: run === 'degraded',
    receivedAt: setup.clock.now(),
    ...more,
    identity: { sequenceId: randomUUID(), attemptId: randomUUID() },
  })

/** One run every 61 seconds: batches take a few milliseconds more or less, and must not decide which run is a minute on. */
async function runs(...outcomes: Run[]): Promise<void> {
  for (const outcome of outcomes) {
    await setup.clock.advance(minute + 500)
    await setup.take([resultOf(outcome, setup.clock.now())])
  }
}

const channel = (flags?: GivenChannel['flags']) => givenMailChannel(database, check, flags)
const ledger = () => notificationsOf(database, check)
const notified = async (from = 0) => (await ledger()).slice(from).map((row) => `${row.channel_id} ${row.type}`)
const settle = (id: number, status: string) => endNotifications(database, { check, channel: id, status })

describe('a channel that does not know of a trouble', () => {
  it('because it was subscribed during it is told by the next bad run, and no other is told again', async () => {
    const first = await channel()
    await runs('fail')
    await settle(first, 'SUCCESS')
    const second = await channel()
    await runs('fail', 'fail')
    await settle(second, 'SUCCESS')
    await runs('fail')
    const rows = await ledger()
    expect(rows.map(({ channel_id: id, type }) => `${id} ${type}`)).toEqual([
      `${first} ALERT_FAILURE`,
      `${second} ALERT_FAILURE`,
    ])
    expect(rows[1]).toMatchObject({ alert_id: rows[0]?.alert_id, round: 0, cause: 'fail here' })
    expect(setup.announced.map(({ notifications }) => notifications)).toEqual([1, 1, 0, 0])
  })

  it('because nobody was subscribed at first is told by the next bad run', async () => {
    await runs('fail')
    const late = await channel()
    await runs('fail')
    expect(await notified()).toEqual([`${late} ALERT_FAILURE`])
  })

  it.each(['FAILURE', 'RATE_LIMITED'])(
    'because its notification ended as %s is told again by the next bad run',
    async (status) => {
      const id = await channel()
      await runs('fail')
      await settle(id, status)
      await runs('fail', 'fail')
      const rows = await ledger()
      expect(rows.map(({ round }) => round)).toEqual([0, 1])
      expect(rows[1]?.id).toBe(notificationIdOf(rows[0]?.alert_id ?? '', id, 1))
      expect(rows[1]?.id).not.toBe(rows[0]?.id)
    },
  )

  it('is told after longer and longer pauses while it accepts nothing', async () => {
    const id = await channel()
    const at: number[] = []
    for (let passed = 0; passed < 32; passed++) {
      await runs('fail')
      if ((await settle(id, 'FAILURE')) > 0) at.push(passed)
    }
    expect(at).toEqual([0, 1, 2, 4, 8, 16])
  })

  it('is told again within an hour, however long it has accepted nothing', async () => {
    const id = await channel()
    await runs('fail')
    for (let round = 0; round < 10; round++) {
      await settle(id, 'FAILURE')
      await setup.clock.advance(60 * minute)
      await runs('fail')
    }
    expect((await ledger()).map(({ round }) => round)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('is not told again while its notification is being tried', async () => {
    await channel()
    await runs('fail', 'fail', ...Array.from({ length: 15 }, () => 'fail' as const))
    expect(await notified()).toHaveLength(1)
  })

  it('is not told while the check is muted, and is when it is not any more', async () => {
    const first = await channel()
    await runs('fail')
    await settle(first, 'SUCCESS')
    const second = await channel()
    const mute = (muted: boolean) => redefine(database, check, { muted })
    await mute(true)
    await runs('fail')
    expect(await notified()).toHaveLength(1)
    await mute(false)
    await runs('fail')
    expect(await notified(1)).toEqual([`${second} ALERT_FAILURE`])
  })

  it('is told of a failure that it did not accept, although it accepted the degradation before', async () => {
    const id = await channel({ degraded: true })
    await runs('degraded')
    await settle(id, 'SUCCESS')
    await runs('fail')
    await settle(id, 'FAILURE')
    await runs('fail')
    expect(await notified(1)).toEqual([`${id} ALERT_DEGRADED_FAILURE`, `${id} ALERT_DEGRADED_FAILURE`])
  })

  it('is not told by a late run, one of another kind, or one that was over in the same batch', async () => {
    await runs('fail')
    await channel()
    await channel({ failure: false, recovery: false })
    await setup.take([resultOf('fail', setup.clock.now() + 1, { receivedAt: setup.clock.now() + 10 * minute })])
    await setup.take([resultOf('fail', setup.clock.now() + 2), resultOf('pass', setup.clock.now() + 3)])
    expect(await notified()).toEqual([])
  })

  it('is told by a reminder as well as by a run', async () => {
    const alertSettings = { reminders: { amount: 5, interval: 5 } }
    await redefine(database, check, { useGlobalAlertSettings: false, alertSettings })
    const id = await channel()
    await runs('fail')
    await settle(id, 'FAILURE')
    await setup.clock.advance(4 * minute)
    const reminders = new Reminders({
      db: counting(setup.db),
      clock: setup.clock,
      onQueued: () => undefined,
    })
    setup.clock.settleBy(settled)
    reminders.start()
    await setup.clock.advance(minute)
    await reminders.stop()
    setup.clock.settleBy(letPromisesRun)
    await settle(id, 'SUCCESS')
    await runs(...Array.from({ length: 12 }, () => 'fail' as const))
    expect(await ledger()).toMatchObject([
      { reminder: 0, status: 'FAILURE' },
      { reminder: 1, status: 'SUCCESS' },
    ])
  })
})

describe('the end of a trouble', () => {
  it('is told to channels that know of it or are being told, and to no others', async () => {
    const [knows, tries, gaveUp] = [await channel(), await channel(), await channel()]
    await runs('fail')
    await settle(knows, 'SUCCESS')
    await settle(gaveUp, 'FAILURE')
    await channel()
    await runs('pass')
    expect(await notified(3)).toEqual([`${knows} ALERT_RECOVERY`, `${tries} ALERT_RECOVERY`])
  })

  it('is told to channels that ask for nothing else', async () => {
    const id = await channel({ failure: false })
    await runs('fail', 'pass')
    expect(await notified()).toEqual([`${id} ALERT_RECOVERY`])
  })

  it('is not told to channels that know only of the trouble before', async () => {
    const id = await channel()
    await runs('fail')
    await settle(id, 'SUCCESS')
    await runs('pass')
    await settle(id, 'SUCCESS')
    await runs('fail')
    await settle(id, 'FAILURE')
    await runs('pass')
    expect(await notified()).toEqual([`${id} ALERT_FAILURE`, `${id} ALERT_RECOVERY`, `${id} ALERT_FAILURE`])
  })
})
