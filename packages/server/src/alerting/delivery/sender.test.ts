import { systemClock } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../../test-support/database-time.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import type { NewAlert } from '../notifications/new-alert.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck, type GivenCheck } from '../../../test-support/checks.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { ensurePartitions } from '../../db/partitions.ts'
import { Ingest } from '../../ingest/index.ts'
import { openReceiver, type Receiver } from '../../../test-support/receiver.ts'

const database = useDatabase()
const hour = 3_600_000
const settled: { id: string; status: string }[] = []
let waiting: (() => void)[] = []
let of: { accountId: string; checkId: string }
let check: GivenCheck
const receivers: Receiver[] = []
const senders: Sender[] = []

beforeEach(async () => {
  // Senders look at all accounts: notifications that other tests queued must not be sent here.
  await database.db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE' WHERE status = 'IN_PROGRESS'`)
  const accountId = await givenAccount(database.db)
  check = await givenCheck(database, { accountId })
  of = { accountId, checkId: check.id }
})
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  settled.length = 0
  waiting = []
})

const receiver = async (...args: Parameters<typeof openReceiver>) => {
  const opened = await openReceiver(...args)
  receivers.push(opened)
  return opened
}
/** The clock of the database is that of the sender, unless the test says otherwise. */
const sender = ({ clock = systemClock, ...options }: Partial<SenderOptions> = {}): Sender => {
  const made = createSender({
    db: clock instanceof TestClock ? databaseAtTimeOf(database.db, clock) : database.db,
    vault,
    clock,
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    baseUrl: () => 'https://vedette.example',
    settings: {},
    onSettled(outcome) {
      settled.push(outcome)
      for (const call of waiting.splice(0)) call()
    },
    ...options,
  })
  senders.push(made)
  return made
}
/** Another server starts, looks for what is due, and stops before it sends. */
const looks = async (options: Partial<SenderOptions>) => {
  const other = sender(options)
  other.start()
  await other.stop()
}
const outcomes = async (count: number) => {
  while (settled.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  return settled.map(({ status }) => status)
}
const channel = (config: Record<string, unknown>) => givenChannel({ db: database.db, vault }, of, { config })
const queue = (...alerts: NewAlert[]) => database.db.transaction((client) => queueNotifications(client, alerts))

/** The state that a kill between claim and outcome leaves; the claim runs out after a minute of `clock`. */
async function givenKilledSender() {
  const target = await receiver()
  await channel({ url: target.base })
  const clock = new TestClock(Date.now(), () => Promise.resolve())
  await queue(anAlert({ ...of, decidedAt: clock.now() }))
  await database.db.pool.query(
    `UPDATE alert_notifications SET claimed_by = 'killed', claimed_until = $2, attempts = 1 WHERE check_id = $1`,
    [of.checkId, new Date(clock.now() + 60_000)],
  )
  return { target, clock }
}
const ledger = async () => {
  const { rows } = await database.db.pool.query(
    `SELECT status, attempts, response_status, notification_result, accepted_at, next_attempt_at, claimed_by
     FROM alert_notifications WHERE check_id = $1 ORDER BY decided_at, channel_id`,
    [of.checkId],
  )
  return rows
}

describe('the sender', () => {
  it('names a private location by its slug and its own name', async () => {
    const target = await receiver()
    await channel({ url: target.base, template: '{"at":"{{REGION}}","where":"{{RUN_LOCATION}}"}' })
    const location = await givenPrivateLocation(database.db, of.accountId, 'office')
    await queue(anAlert({ ...of, location }))
    sender().start()
    const [delivery] = await target.received(1)
    expect(delivery?.body).toBe('{"at":"office","where":"The office"}')
  })

  it('says so when the built-in agent stood in for the location, and names a real one alone', async () => {
    const target = await receiver()
    await channel({ url: target.base, template: '{"at":"{{REGION}}","where":"{{RUN_LOCATION}}"}' })
    const dueAt = Date.now() - 5000
    await ensurePartitions(database.db, dueAt)
    const ingest = new Ingest({ db: database.db, clock: systemClock })
    const ended = (outcome: 'fail' | 'pass', at: number, emulated: boolean) =>
      ingest.accept([incomingResult(check, at, { outcome, location: 'us-east-1', identity: { emulated } })])
    await ended('fail', dueAt, true)
    await ended('pass', dueAt + 1000, false)
    await ingest.stop()
    sender().start()
    const bodies = (await target.received(2)).map(({ body }) => body)
    expect(bodies).toEqual([
      '{"at":"us-east-1","where":"N. Virginia (emulated)"}',
      '{"at":"us-east-1","where":"N. Virginia"}',
    ])
  })

  it('sends as soon as it is woken, and records the response', async () => {
    const target = await receiver((response) => response.writeHead(202).end('thanks'))
    await channel({ url: target.base })
    const running = sender()
    running.start()
    const alert = anAlert(of)
    await queue(alert)
    running.wake()
    expect(await outcomes(1)).toEqual(['SUCCESS'])
    expect(await ledger()).toMatchObject([
      { status: 'SUCCESS', attempts: 1, response_status: 202, notification_result: 'thanks', next_attempt_at: null },
    ])
    const [{ accepted_at: acceptedAt }] = await ledger()
    expect(acceptedAt.getTime()).toBeGreaterThanOrEqual(alert.decidedAt)
    expect(JSON.parse(target.deliveries[0]?.body ?? '')).toMatchObject({ CHECK_NAME: 'Shop "front"' })
  })

  it('sends what was queued before it started', async () => {
    const target = await receiver()
    await channel({ url: target.base })
    await queue(anAlert(of))
    sender().start()
    await target.received(1)
    expect(await outcomes(1)).toEqual(['SUCCESS'])
  })

  it('tries again every 20 s with the same id and gives up after five retries', async () => {
    const target = await receiver((response) => response.writeHead(503).end('down'))
    await channel({ url: target.base })
    const clock = new TestClock(Date.now(), () => Promise.resolve())
    await queue(anAlert({ ...of, decidedAt: clock.now() }))
    sender({ clock }).start()
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await outcomes(attempt)).at(-1)).toBe('IN_PROGRESS')
      expect(await ledger()).toMatchObject([{ attempts: attempt, next_attempt_at: new Date(clock.now() + 20_000) }])
      clock.jump(20_000)
      senders[0]?.wake()
    }
    expect((await outcomes(6)).at(-1)).toBe('FAILURE')
    expect(await ledger()).toMatchObject([
      { status: 'FAILURE', attempts: 6, response_status: 503, notification_result: 'down', next_attempt_at: null },
    ])
    expect(new Set(target.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(target.deliveries.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
  })

  it('goes on at its pace after the clock was set back an hour', async () => {
    const target = await receiver((response, _delivery, number) => response.writeHead(number < 3 ? 503 : 200).end())
    await channel({ url: target.base })
    const clock = new TestClock(Date.now(), () => Promise.resolve())
    await queue(anAlert({ ...of, decidedAt: clock.now() }))
    clock.setWall(-hour)
    const running = sender({ clock })
    running.start()
    await outcomes(1)
    clock.setWall(-hour)
    await looks({ clock })
    clock.jump(19_000)
    await looks({ clock })
    expect(await ledger()).toMatchObject([{ attempts: 1, claimed_by: null }])
    clock.jump(1000)
    running.wake()
    await outcomes(2)
    clock.setWall(hour)
    running.wake()
    expect(await outcomes(3)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS'])
  })

  it('keeps the pauses when the clocks of servers differ by hours', async () => {
    const target = await receiver((response) => response.writeHead(503).end())
    await channel({ url: target.base })
    const [behind, right, ahead] = [-3 * hour, 0, 3 * hour].map(
      (ms) => new TestClock(Date.now() + ms, () => Promise.resolve()),
    )
    const db = databaseAtTimeOf(database.db, right!)
    await queue(anAlert({ ...of, decidedAt: ahead!.now() }))
    for (const [attempt, clock] of [ahead!, behind!, ahead!, behind!].entries()) {
      const running = sender({ clock, db })
      running.start()
      await outcomes(attempt + 1)
      await running.stop()
      for (const other of [ahead!, behind!]) await looks({ clock: other, db })
      const next = new Date(right!.now() + 20_000)
      expect(await ledger()).toMatchObject([{ attempts: attempt + 1, claimed_by: null, next_attempt_at: next }])
      right!.jump(20_000)
    }
  })

  it('does not send again what it is sending when the clock leaps ahead', async () => {
    let answer = () => {}
    const slow = await receiver((response) => void (answer = () => void response.end()))
    await channel({ url: slow.base })
    const clock = new TestClock(Date.now(), () => Promise.resolve())
    await queue(anAlert({ ...of, decidedAt: clock.now() }))
    const running = sender({ clock })
    running.start()
    await slow.received(1)
    clock.setWall(hour)
    running.wake()
    const looked = running.lookedAt()
    clock.jump(1)
    while (running.lookedAt() === looked) await new Promise((resolve) => setImmediate(resolve))
    answer()
    expect(await outcomes(1)).toEqual(['SUCCESS'])
    expect(slow.deliveries).toHaveLength(1)
  })

  it('wakes by itself when a retry is due', async () => {
    const target = await receiver((response, _delivery, number) => response.writeHead(number === 1 ? 500 : 200).end())
    await channel({ url: target.base })
    const clock = new TestClock(Date.now(), () => new Promise((resolve) => setTimeout(resolve, 20)))
    await queue(anAlert({ ...of, decidedAt: clock.now() }))
    sender({ clock }).start()
    await outcomes(1)
    const timerSet = async () => {
      while (clock.timers === 0) await clock.advance(0)
    }
    // No look is under way when the clock moves, so that the attempt does not time out by it.
    for (let looks = 0; looks < 4; looks++) {
      await timerSet()
      await clock.advance(5000)
    }
    expect(await outcomes(2)).toEqual(['IN_PROGRESS', 'SUCCESS'])
  })

  it('waits as long as a 429 asks for, and ends as rate limited', async () => {
    const target = await receiver((response) => response.writeHead(429, { 'retry-after': '120' }).end())
    await channel({ url: target.base })
    const clock = new TestClock(Date.now(), () => Promise.resolve())
    await queue(anAlert({ ...of, decidedAt: clock.now() }))
    sender({ clock }).start()
    await outcomes(1)
    expect(await ledger()).toMatchObject([{ next_attempt_at: new Date(clock.now() + 120_000) }])
    for (let attempt = 2; attempt <= 6; attempt++) {
      clock.jump(120_000)
      senders[0]?.wake()
      await outcomes(attempt)
    }
    expect(await ledger()).toMatchObject([{ status: 'RATE_LIMITED', attempts: 6 }])
  })

  it('never lets a recovery overtake its failure', async () => {
    const clock = new TestClock(Date.now(), () => Promise.resolve())
    const target = await receiver((response, _delivery, number) => response.writeHead(number === 1 ? 500 : 200).end())
    const other = await receiver()
    await channel({ url: target.base })
    await channel({ url: other.base })
    const decidedAt = clock.now()
    await queue(anAlert({ ...of, decidedAt }), anAlert({ ...of, alertType: 'ALERT_RECOVERY', decidedAt }))
    sender({ clock }).start()
    await other.received(2)
    await outcomes(3)
    expect(target.deliveries).toHaveLength(1)
    clock.jump(20_000)
    senders[0]?.wake()
    await outcomes(5)
    const types = ({ deliveries }: Receiver) =>
      deliveries.map(({ body }) => (JSON.parse(body) as { ALERT_TYPE: string }).ALERT_TYPE)
    expect(types(target)).toEqual(['ALERT_FAILURE', 'ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(types(other)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('sends what a killed sender had claimed, once its claim has run out, with the same id', async () => {
    const { target, clock } = await givenKilledSender()
    sender({ clock }).start()
    await senders[0]?.stop()
    expect(target.deliveries).toEqual([])
    clock.jump(60_000)
    sender({ clock }).start()
    expect(await outcomes(1)).toEqual(['SUCCESS'])
    expect(target.deliveries).toHaveLength(1)
    expect(target.deliveries[0]?.headers['x-service-delivery-attempt']).toBe('2')
    expect(await ledger()).toMatchObject([{ status: 'SUCCESS', attempts: 2, claimed_by: null }])
  })

  it('leaves alone what another server has claimed, whose clock is a minute behind', async () => {
    let answer = () => {}
    const slow = await receiver((response) => void (answer = () => void response.end()))
    await channel({ url: slow.base })
    const [behind, ahead] = [-60_000, 60_000].map((ms) => new TestClock(Date.now() + ms, () => Promise.resolve()))
    await queue(anAlert({ ...of, decidedAt: Date.now() - 120_000 }))
    sender({ clock: behind!, db: database.db }).start()
    await slow.received(1)
    const other = sender({ clock: ahead!, db: database.db })
    other.start()
    await other.stop()
    expect(slow.deliveries).toHaveLength(1)
    expect(await ledger()).toMatchObject([{ status: 'IN_PROGRESS', attempts: 1 }])
    answer()
    expect(await outcomes(1)).toEqual(['SUCCESS'])
  })

  it('alone on its database, sends at once what a killed sender had claimed', async () => {
    const { target, clock } = await givenKilledSender()
    sender({ clock, alone: true }).start()
    expect(await outcomes(1)).toEqual(['SUCCESS'])
    expect(target.deliveries[0]?.headers['x-service-delivery-attempt']).toBe('2')
  })

  it('lets no page wait behind the news of a certificate', async () => {
    const target = await receiver((response, { body }) =>
      response.writeHead(body.includes('ALERT_SSL') ? 500 : 200).end(),
    )
    await givenChannel({ db: database.db, vault }, of, { config: { url: target.base }, sslDays: 30 })
    const certificate = { host: 'shop.example', notAfter: Date.now(), threshold: 30 }
    await queue(anAlert({ ...of, alertType: 'ALERT_SSL', certificate, decidedAt: Date.now() - 1000 }))
    await queue(anAlert(of))
    sender().start()
    expect((await outcomes(2)).sort()).toEqual(['IN_PROGRESS', 'SUCCESS'])
  })

  it('shares the work with another sender without telling anybody twice', async () => {
    const target = await receiver()
    await channel({ url: target.base })
    const checks = await Promise.all(
      Array.from({ length: 12 }, async () => (await givenCheck(database, { accountId: of.accountId })).id),
    )
    const { rows } = await database.db.pool.query<{ id: number }>('SELECT max(id) AS id FROM alert_channels')
    for (const checkId of checks) {
      await database.db.pool.query(
        'INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)',
        [of.accountId, rows[0]?.id, checkId],
      )
    }
    await queue(...checks.map((checkId) => anAlert({ ...of, checkId })))
    sender().start()
    sender().start()
    await outcomes(12)
    expect(target.deliveries).toHaveLength(12)
    expect(new Set(target.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(12)
  })

  it('does not let a slow channel hold up the others', async () => {
    const slow = await receiver(() => undefined)
    const fast = await receiver()
    const checks = await Promise.all(
      Array.from({ length: 10 }, async () => (await givenCheck(database, { accountId: of.accountId })).id),
    )
    const slowChannel = await channel({ url: slow.base })
    const fastChannel = await channel({ url: fast.base })
    for (const checkId of checks) {
      await database.db.pool.query(
        `INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated)
         SELECT $1, unnest($2::int[]), $3, true`,
        [of.accountId, [slowChannel, fastChannel], checkId],
      )
    }
    await queue(...checks.map((checkId) => anAlert({ ...of, checkId })))
    // Only the grace period at the end is shortened, so that nothing else times out.
    const after: typeof systemClock.after = (ms, call) => systemClock.after(ms === 3000 ? 10 : ms, call)
    const running = sender({ clock: { ...systemClock, after } })
    running.start()
    await fast.received(10)
    expect(slow.deliveries.length).toBeLessThanOrEqual(4)
  })

  it('keeps secrets out of the ledger, whatever the receiver sends back', async () => {
    const echo = await receiver((response, { headers, body }) => void response.end(`${JSON.stringify(headers)}${body}`))
    await channel({
      url: echo.base,
      headers: [{ key: 'authorization', value: 'Bearer deep-secret-1' }],
      template: '{{HIDDEN}}',
    })
    const place = { account: of.accountId, table: 'variables', row: 'HIDDEN', field: 'value' }
    await database.db.pool.query(
      `INSERT INTO variables (account_id, key, value, locked, secret, version, created_at)
       VALUES ($1, 'HIDDEN', $2, false, true, 1, now())`,
      [of.accountId, vault.seal('hidden-secret-2', place)],
    )
    await queue(anAlert(of))
    sender().start()
    await outcomes(1)
    const [{ notification_result: result }] = await ledger()
    expect(echo.deliveries[0]?.body).toBe('hidden-secret-2')
    expect(echo.deliveries[0]?.headers.authorization).toBe('Bearer deep-secret-1')
    expect(result).not.toMatch(/deep-secret|hidden-secret/)
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(256)
    expect(result).toContain('******')
  })

  it('gives up what was queued for a channel that was deleted', async () => {
    const id = await channel({ url: 'http://127.0.0.1:9/' })
    await queue(anAlert(of))
    await database.db.pool.query('UPDATE alert_channels SET deleted_at = now() WHERE id = $1', [id])
    sender().start()
    expect(await outcomes(1)).toEqual(['FAILURE'])
    expect(await ledger()).toMatchObject([{ notification_result: expect.stringContaining('deleted') }])
  })

  it('hands over what it was sending when it is stopped', async () => {
    const silent = await receiver(() => undefined)
    await channel({ url: silent.base })
    const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / 100, call) }
    await queue(anAlert(of))
    const first = sender({ clock })
    first.start()
    await silent.received(1)
    await first.stop()
    expect(await ledger()).toMatchObject([{ status: 'IN_PROGRESS', attempts: 1, claimed_by: null }])
    expect((await ledger())[0].next_attempt_at.getTime()).toBeLessThanOrEqual(Date.now())
  })
})
