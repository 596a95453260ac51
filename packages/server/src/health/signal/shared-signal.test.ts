import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../test-support/clock.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { healthyFacts } from '../../../test-support/health.ts'
import type { HealthLook } from '../health-watch.ts'
import { isReady, troublesOf } from '../troubles/troubles.ts'
import { SharedSignal } from './shared-signal.ts'

const database = useEmptiedDatabase()
const log = { warn: () => undefined }
/** Two servers on one database. */
let shared: typeof database.db
let clock: TestClock

beforeEach(async () => {
  clock = new TestClock()
  shared = { ...database.db, peers: { self: 'one', listen: () => ({ stop: async () => {} }) } }
  await database.db.pool.query(`DELETE FROM leadership`)
  await database.db.pool.query(
    `INSERT INTO leadership (role, holder, epoch, expires_at) VALUES ('scheduler', 'one', 7, now())`,
  )
})

const started: SharedSignal[] = []
afterEach(async () => {
  for (const signal of started.splice(0)) await signal.stop()
})

const lookOf = (leading: boolean): HealthLook => {
  const facts = { ...healthyFacts(), leading, otherLeads: !leading, noAgentMs: 120_000 }
  const troubles = troublesOf(facts)
  return { facts, troubles, ready: isReady(troubles) }
}

async function start(host: string, own: () => HealthLook): Promise<SharedSignal> {
  const write = (work: Parameters<typeof shared.transaction>[0]) => shared.transaction(work).then(() => undefined)
  const signal = new SharedSignal({ db: shared, clock, host, own, write, log })
  started.push(signal)
  await signal.start()
  return signal
}

test('the standby hears what the leader sees, as long as that goes on saying it', async () => {
  const leader = await start('one', () => lookOf(true))
  const standby = await start('two', () => lookOf(false))
  expect(standby.leader()).toMatchObject({ host: 'one', report: { troubles: [{ code: 'NO_AGENT' }] } })
  await leader.stop()
  clock.jump(21_000)
  expect(standby.leader()).toBeUndefined()
})

test('what a leader said whose term is over counts no more', async () => {
  await start('one', () => lookOf(true))
  await database.db.pool.query(`UPDATE leadership SET epoch = 8, holder = 'three'`)
  const standby = await start('two', () => lookOf(false))
  expect(standby.leader()).toBeUndefined()
})

test('an old report stays old when the clock of the database is set back', async () => {
  await start('one', () => lookOf(true))
  await database.db.pool.query(`UPDATE health_reports SET at = at + interval '1 hour'`)
  const standby = await start('two', () => lookOf(false))
  expect(standby.leader()).toBeUndefined()
})

test('a report of another version that cannot be read is none', async () => {
  await start('one', () => lookOf(true))
  await database.db.pool.query(`UPDATE health_reports SET report = '{"troubles": [{"code": "NEW"}]}'`)
  const standby = await start('two', () => lookOf(false))
  expect(standby.leader()).toBeUndefined()
})
