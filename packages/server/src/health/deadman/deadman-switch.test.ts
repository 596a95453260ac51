import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { letPromisesRun, TestClock } from '../../../test-support/clock.ts'
import { healthyFacts } from '../../../test-support/health.ts'
import { openReceiver, type Receiver } from '../../../test-support/receiver.ts'
import { DeadmanSwitch, hasAdvanced } from './deadman-switch.ts'
import type { HealthFacts } from '../facts/facts.ts'
import { isReady, troublesOf } from '../troubles/troubles.ts'

const minute = 60_000
const lookOf = (changes: Partial<HealthFacts> = {}) => {
  const facts = { ...healthyFacts(), ...changes }
  const troubles = troublesOf(facts)
  return { facts, troubles, ready: isReady(troubles) }
}
const busy = { waiting: 1, leased: 3, limit: 100, overLimitMs: 0 }

describe('Vedette goes on', () => {
  test.each<[string, Partial<HealthFacts>, boolean, boolean]>([
    ['when all four moved in the last minute', {}, false, true],
    [
      'when no check is due',
      { schedule: { checks: 1, tickAgeMs: 3_600_000, firstDueInMs: minute, overdueMs: 0 } },
      true,
      true,
    ],
    [
      'not when something is due and nothing ticked',
      { schedule: { checks: 1, tickAgeMs: 61_000, firstDueInMs: -5, overdueMs: 5 } },
      true,
      false,
    ],
    ['not when no agent asked', { leaseAgeMs: 61_000 }, true, false],
    [
      'when no agent asked and there is no check',
      { leaseAgeMs: null, schedule: { checks: 0, tickAgeMs: null, firstDueInMs: null, overdueMs: 0 } },
      true,
      true,
    ],
    [
      'not when runs have been under way for a minute without a result',
      { ingest: { commitAgeMs: 61_000, failingMs: null, reason: null, works: true }, queue: busy },
      false,
      false,
    ],
    [
      'when the runs under way may have begun just now',
      { ingest: { commitAgeMs: 61_000, failingMs: null, reason: null, works: true }, queue: busy },
      true,
      true,
    ],
    [
      'not while results cannot be stored',
      { ingest: { commitAgeMs: 1, failingMs: 1, reason: 'full', works: false } },
      true,
      false,
    ],
    ['not when notifications were not looked for', { deliveryRoundMs: 61_000 }, true, false],
    ['not on a standby', { leading: false, otherLeads: true }, true, false],
    ['not while the database is away', { database: { answers: false, silentMs: minute, reason: null } }, true, false],
  ])('%s', (_name, changes, wasIdle, expected) => {
    expect(hasAdvanced(lookOf(changes), wasIdle)).toBe(expected)
  })
})

describe('the call to the outside monitor', () => {
  let clock: TestClock
  let receiver: Receiver
  let facts: Partial<HealthFacts>
  let deadman: DeadmanSwitch
  let status: number
  let warnings: unknown[]

  beforeEach(async () => {
    clock = new TestClock()
    facts = {}
    status = 200
    receiver = await openReceiver((response) => response.writeHead(status, { location: '/elsewhere' }).end())
    warnings = []
    deadman = switchTo(`${receiver.base}/ping/secret`)
    deadman.start()
  })
  afterEach(async () => {
    await deadman.stop()
    await receiver.close()
  })

  const switchTo = (url: string) =>
    new DeadmanSwitch({
      url,
      clock,
      look: () => lookOf(facts),
      egress: () => ({ privateTargets: true, deniedTargets: [] }),
      log: { warn: (...line) => warnings.push(line) },
    })

  async function minutes(count: number) {
    for (let passed = 0; passed < count; passed++) await clock.advance(minute)
  }

  /** The answer comes over a real socket. While it is waited for there is the time limit only, then the next minute. */
  async function untilAnswered() {
    for (let turn = 0; turn < 20; turn++) await letPromisesRun()
  }

  test('is made every minute, and not while something stands still', async () => {
    await minutes(1)
    await receiver.received(1)
    await untilAnswered()
    expect(receiver.deliveries).toMatchObject([{ method: 'GET', url: '/ping/secret' }])
    facts = { deliveryRoundMs: 2 * minute }
    await minutes(3)
    expect(receiver.deliveries).toHaveLength(1)
    facts = {}
    await minutes(1)
    await receiver.received(2)
  })

  test('follows no redirect, and says since when it is not taken', async () => {
    status = 302
    expect(deadman.condition()).toEqual({ accepted: false, failingMs: 0, reason: null })
    await minutes(1)
    await receiver.received(1)
    while (deadman.condition().reason === null) await letPromisesRun()
    await clock.advance(5000)
    expect(deadman.condition()).toEqual({ accepted: false, failingMs: 5000, reason: 'It answered 302.' })
    expect(receiver.deliveries.map(({ url }) => url)).toEqual(['/ping/secret'])
  })

  test('sends user and password of the address, and shows them to nobody', async () => {
    await deadman.stop()
    status = 500
    deadman = switchTo(receiver.base.replace('http://', 'http://me:p%40ss@'))
    deadman.start()
    await minutes(1)
    const [call] = await receiver.received(1)
    expect(call?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
    while (deadman.condition() === null) await letPromisesRun()
    expect(JSON.stringify([warnings, deadman.condition()])).not.toMatch(/p%40ss|p@ss|bWU6/)
  })
})
