import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { letPromisesRun, TestClock } from '../../../test-support/clock.ts'
import { givenAccount, useEmptiedDatabase } from '../../../test-support/database.ts'
import { healthSources, idleSchedule } from '../../../test-support/health.ts'
import { testVault } from '../../../test-support/vault.ts'
import { AgentKeys } from '../../agents/keys/agent-keys.ts'
import { Presence } from '../../agents/presence.ts'
import type { AgentKey } from '../../agents/store.ts'
import { queueNotifications } from '../../alerting/notifications/queue-notifications.ts'
import type { ScheduleCondition } from '../../scheduling/dispatch.ts'
import { FactCollector } from './collect-facts.ts'
import { troublesOf } from '../troubles/troubles.ts'

const database = useEmptiedDatabase()
const minute = 60_000
let clock: TestClock
let presence: Presence
let keys: AgentKeys
let schedule: ScheduleCondition
let collector: FactCollector
let key: AgentKey

const check = (locations: string[]) =>
  ({ checkId: randomUUID(), accountId: randomUUID(), locations }) as unknown as ScheduleCondition['checks'][number]

beforeEach(async () => {
  const { db } = database
  await db.pool.query('TRUNCATE agent_keys, leadership CASCADE')
  clock = new TestClock(Date.UTC(2026, 0, 5, 12), async () => {
    for (let turn = 0; turn < 3; turn++) await db.pool.query('SELECT 1')
    await letPromisesRun()
  })
  presence = new Presence(clock)
  keys = new AgentKeys({ db, clock })
  await keys.mintBuiltin('here')
  const [found] = await keys.list()
  if (found === undefined) throw new Error('There is no key.')
  key = found
  schedule = idleSchedule({ checks: [check(['eu-west-1'])], tickedAt: 0 })
  const canaryAccount = 'canary'
  collector = new FactCollector(
    healthSources(db, clock, { agents: { presence, keys }, schedule: () => schedule, canaryAccount }),
  )
})

const hello = { protocol: 2, version: '1', checkTypes: [], capabilities: [], capacity: {}, inFlight: [], spooled: [] }

/** Looks every five seconds; the agents call as often. */
async function lookFor(ms: number, calling: readonly string[]) {
  let facts = await collector.collect()
  for (let passed = 0; passed < ms; passed += 5000) {
    await clock.advance(5000)
    for (const agentId of calling) presence.asked(key, agentId)
    facts = await collector.collect()
  }
  return { facts, codes: troublesOf(facts).map(({ code }) => code) }
}

describe('agents', () => {
  test('one that calls serves its locations; when it stops, nothing is being watched', async () => {
    presence.hello(key, { ...hello, agentId: 'a' })
    const well = await lookFor(3 * minute, ['a'])
    expect(well.codes).toEqual([])
    expect(well.facts.locations).toMatchObject([{ id: 'eu-west-1', name: 'Ireland', agents: 1, withoutAgentMs: 0 }])
    expect((await lookFor(65_000, [])).codes).toEqual(['NO_AGENT'])
  })

  test('one that says goodbye and comes back at once is no trouble', async () => {
    presence.hello(key, { ...hello, agentId: 'a' })
    await lookFor(10 * minute, ['a'])
    presence.goodbye(key, 'a')
    expect((await lookFor(30_000, [])).codes).toEqual([])
    presence.hello(key, { ...hello, agentId: 'b' })
    expect((await lookFor(minute, ['b'])).codes).toEqual([])
  })

  test('one of two that falls silent is named, unless another took its place', async () => {
    for (const agentId of ['a', 'b']) presence.hello(key, { ...hello, agentId })
    await lookFor(minute, ['a', 'b'])
    expect((await lookFor(3 * minute, ['b'])).codes).toEqual(['AGENT_SILENT'])
    presence.hello(key, { ...hello, agentId: 'c' })
    expect((await lookFor(5000, ['b', 'c'])).codes).toEqual([])
  })

  test('a location whose own agent never came is a trouble of that location', async () => {
    presence.hello(key, { ...hello, agentId: 'a' })
    await keys.mintForDataCenter(database.db.pool, 'us-east-1')
    keys.forget()
    schedule = { ...schedule, checks: [check(['eu-west-1', 'us-east-1'])] }
    const { facts, codes } = await lookFor(minute, ['a'])
    expect(codes).toEqual(['LOCATION_WITHOUT_AGENT'])
    expect(troublesOf(facts)[0]).toMatchObject({
      subject: 'N. Virginia',
      location: 'us-east-1',
      title: 'No agent has ever connected for N. Virginia',
    })
  })
})

test('time in which this process was suspended is nobody’s silence', async () => {
  presence.hello(key, { ...hello, agentId: 'a' })
  await lookFor(minute, ['a'])
  clock.jump(30 * minute)
  expect((await lookFor(30_000, [])).codes).toEqual([])
})

test('a lease that comes and goes does not hide that no agent calls', async () => {
  presence.hello(key, { ...hello, agentId: 'a' })
  await lookFor(minute, ['a'])
  let codes: string[] = []
  for (let turn = 0; turn < 8; turn++) {
    schedule = { ...schedule, leading: false }
    await lookFor(10_000, [])
    schedule = { ...schedule, leading: true }
    codes = (await lookFor(10_000, [])).codes
  }
  expect(codes).toEqual(['NO_AGENT'])
})

test('a clock that is set is noticed, and for ten minutes', async () => {
  presence.hello(key, { ...hello, agentId: 'a' })
  clock.setWall(-60 * minute)
  const { facts, codes } = await lookFor(5000, ['a'])
  expect(codes).toEqual(['CLOCK_LEAPT'])
  expect(facts.clockLeap).toMatchObject({ byMs: -60 * minute })
  expect((await lookFor(11 * minute, ['a'])).codes).toEqual([])
})

test('a schedule that is due and does not tick stands still', async () => {
  presence.hello(key, { ...hello, agentId: 'a' })
  schedule = { ...schedule, firstDue: clock.now() + 1000, tickedAt: clock.monotonic() }
  expect((await lookFor(80_000, ['a'])).codes).toEqual([])
  expect((await lookFor(30_000, ['a'])).codes).toEqual(['SCHEDULE_STUCK'])
  schedule = { ...schedule, tickedAt: clock.monotonic() }
  expect((await lookFor(5000, ['a'])).codes).toEqual([])
})

test('a server that does not lead stands by while another renews its lease, and says when nobody does', async () => {
  const { db } = database
  schedule = idleSchedule({ leading: false })
  await db.pool.query(
    `INSERT INTO leadership (role, holder, epoch, expires_at) VALUES ('scheduler', 'other', 1, now())`,
  )
  const renew = () => db.pool.query(`UPDATE leadership SET expires_at = expires_at + interval '1 second'`)
  await lookFor(5000, [])
  for (let turn = 0; turn < 6; turn++) {
    await renew()
    expect(await lookFor(5000, [])).toMatchObject({ codes: [], facts: { otherLeads: true } })
  }
  expect((await lookFor(minute, [])).codes).toEqual(['NO_SCHEDULER'])
})

test('a database that does not answer is the one trouble', async () => {
  const broken = { ...database.db, pool: { query: () => Promise.reject(new Error('connect ECONNREFUSED')) } }
  collector = new FactCollector(
    healthSources(broken as unknown as typeof database.db, clock, { schedule: () => schedule }),
  )
  const { facts, codes } = await lookFor(20_000, [])
  expect(codes).toEqual(['DATABASE_AWAY'])
  expect(facts.database.reason).toBe('connect ECONNREFUSED')
})

test('channels that fail are known also while the canary cannot be read', async () => {
  const account = await givenAccount(database.db)
  const check = { accountId: account, checkId: (await givenCheck(database, { accountId: account })).id }
  await givenChannel({ db: database.db, vault: testVault }, check, { config: { url: 'http://127.0.0.1/' } })
  const alert = anAlert({ ...check, decidedAt: clock.now() - minute })
  await database.db.transaction((client) => queueNotifications(client, [alert]))
  await database.db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE' WHERE alert_id = $1`, [alert.id])
  const canary = () => Promise.reject(new Error('canceling statement due to lock timeout'))
  collector = new FactCollector(healthSources(database.db, clock, { canary }))
  const { facts } = await lookFor(5000, [])
  expect(facts.failingChannels).toHaveLength(1)
  expect(facts.complete).toBe(false)
})
