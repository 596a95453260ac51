import { describe, expect, test } from 'vitest'
import { healthyFacts } from '../../../test-support/health.ts'
import type { HealthFacts } from '../facts/facts.ts'
import { thresholds } from './thresholds.ts'
import { hasAdvanced } from '../deadman/deadman-switch.ts'
import { isReady, troublesOf } from './troubles.ts'

const minute = 60_000
const gib = 1024 ** 3
const codes = (facts: HealthFacts) => troublesOf(facts).map(({ code }) => code)
const place = (changes: Partial<HealthFacts['locations'][number]>): HealthFacts['locations'][number] => ({
  id: 'eu-west-1',
  name: 'Ireland',
  accountId: null,
  served: 'by-own',
  agents: 0,
  awaited: false,
  withoutAgentMs: 3 * minute,
  ...changes,
})

const served = place({ id: 'eu-west-3', name: 'Paris', agents: 1, withoutAgentMs: 0 })

test('an installation that works, or has nothing to do, has no trouble', () => {
  const facts = healthyFacts()
  expect(codes(facts)).toEqual([])
  expect(codes({ ...facts, schedule: { ...facts.schedule, checks: 0 }, noAgentMs: 9 * minute })).toEqual([])
})

test.each<[string, Partial<HealthFacts>]>([
  ['DATABASE_AWAY', { database: { answers: false, silentMs: 11_000, reason: 'connection refused' } }],
  [
    'RESULTS_NOT_STORED',
    { ingest: { commitAgeMs: minute, failingMs: 11_000, reason: 'No space left on device', works: false } },
  ],
  ['NO_SCHEDULER', { leading: false, otherLeads: false, leaderlessMs: 21_000 }],
  ['SCHEDULE_STUCK', { schedule: { checks: 3, tickAgeMs: 1, firstDueInMs: -1, overdueMs: 91_000 } }],
  ['NO_AGENT', { noAgentMs: minute }],
  ['NOTIFICATIONS_NOT_SENT', { deliveryRoundMs: minute }],
  ['NOTHING_KNOWN', { unknownRuns: { count: 3, forMs: 10 * minute, cause: 'DNS timed out' } }],
])('%s makes the server not ready, and says why', (code, changes) => {
  const [trouble, ...others] = troublesOf({ ...healthyFacts(), ...changes })
  expect(others).toEqual([])
  expect(trouble).toMatchObject({ code, severity: 'critical' })
  expect(isReady(trouble ? [trouble] : [])).toBe(false)
})

test.each<[string, Partial<HealthFacts>]>([
  ['LOCATION_WITHOUT_AGENT', { locations: [place({}), served] }],
  ['DISK_NEARLY_FULL', { disk: { free: 9 * gib, size: 100 * gib, lowMs: 0 } }],
  ['DISK_NEARLY_FULL', { disk: { free: 0.9 * gib, size: 5 * gib, lowMs: 0 } }],
  ['QUEUE_TOO_LONG', { queue: { waiting: 400, leased: 0, limit: 100, overLimitMs: minute } }],
  ['CLOCK_LEAPT', { clockLeap: { byMs: -3_600_000, agoMs: 1000 } }],
  ['NOTIFICATIONS_FAILING', { failingChannels: [{ accountId: 'a', channels: ['e-mail'], since: 0 }] }],
  [
    'CANARY_FAILED',
    { canary: { acceptedAt: null, failure: 'It ended at the agent.', reason: null, failedAt: 0, awaitedMs: null } },
  ],
  ['DEADMAN_UNREACHED', { deadman: { accepted: false, failingMs: 6 * minute, reason: 'refused' } }],
])('%s is a warning and leaves the server ready', (code, changes) => {
  const troubles = troublesOf({ ...healthyFacts(), ...changes })
  expect(troubles).toMatchObject([{ code, severity: 'warning' }])
  expect(isReady(troubles)).toBe(true)
})

describe('nothing is watched although agents call', () => {
  const busy = { waiting: 20, leased: 0, limit: 100, overLimitMs: 0 }

  test('when no location in use has one of them', () => {
    const dead = [place({ withoutAgentMs: 600 * minute }), place({ id: 'us-east-1', name: 'Ohio' })]
    const facts = { ...healthyFacts(), locations: dead }
    const troubles = troublesOf(facts)
    expect(troubles.map(({ title }) => title)).toEqual([
      'No agent works',
      'No agent serves Ireland',
      'No agent serves Ohio',
    ])
    expect(hasAdvanced({ facts, troubles, ready: isReady(troubles) }, true)).toBe(false)
    expect(codes({ ...facts, locations: [...dead, served] })).not.toContain('NO_AGENT')
  })

  test.each<[string, number, typeof busy, string[]]>([
    ['when none asks for the runs that wait', 2 * minute, busy, ['NO_AGENT']],
    ['unless nothing waits', 60 * minute, { ...busy, waiting: 0 }, []],
    ['unless all their slots are taken', 9 * minute, { ...busy, leased: 5 }, []],
    ['also with runs under way when that lasts too long', 10 * minute, { ...busy, leased: 5 }, ['NO_AGENT']],
  ])('%s', (_name, notAskedMs, queue, expected) => {
    const troubles = troublesOf({ ...healthyFacts(), notAskedMs, queue })
    expect(troubles.map(({ code }) => code)).toEqual(expected)
    expect(isReady(troubles)).toBe(expected.length === 0)
  })

  test('when all runs end as not known, after a while and several runs', () => {
    const unknownRuns = { count: 3, forMs: 10 * minute, cause: 'DNS timed out' }
    const facts = healthyFacts()
    expect(codes({ ...facts, unknownRuns })).toEqual(['NOTHING_KNOWN'])
    expect(codes({ ...facts, unknownRuns: { ...unknownRuns, count: 2 } })).toEqual([])
    expect(codes({ ...facts, unknownRuns: { ...unknownRuns, forMs: 9 * minute } })).toEqual([])
  })
})

test('why no server schedules is said, and what follows from it is not listed', () => {
  const leaderless = { leading: false, leaderlessMs: minute, deliveryRoundMs: 5 * minute }
  const leaseFault = 'cannot execute UPDATE in a read-only transaction'
  const [trouble, ...others] = troublesOf({ ...healthyFacts(), ...leaderless, leaseFault })
  expect(others).toEqual([])
  expect(trouble).toMatchObject({ code: 'NO_SCHEDULER', reason: leaseFault })
  expect(trouble?.title).toBe('No server schedules: its lease cannot be stored')
})

test('a disk is nearly full since it was seen to be', () => {
  const facts = { ...healthyFacts(), disk: { free: 1, size: gib, lowMs: 5 * minute } }
  expect(troublesOf(facts)).toMatchObject([{ since: facts.now - 5 * minute }])
})

describe('one cause is one trouble', () => {
  test('a database that is away hides what follows from it', () => {
    const away = { database: { answers: false, silentMs: minute, reason: null }, deliveryRoundMs: 5 * minute }
    expect(codes({ ...healthyFacts(), ...away, leading: false, leaderlessMs: minute })).toEqual(['DATABASE_AWAY'])
  })

  test('a full disk hides that notifications cannot be claimed', () => {
    const ingest = { commitAgeMs: minute, failingMs: minute, reason: 'No space left on device', works: false }
    expect(codes({ ...healthyFacts(), ingest, deliveryRoundMs: 5 * minute })).toEqual(['RESULTS_NOT_STORED'])
  })

  test('without any agent the single locations are not listed', () => {
    expect(codes({ ...healthyFacts(), noAgentMs: 3 * minute, locations: [place({})] })).toEqual(['NO_AGENT'])
  })

  test('the locations of the built-in agent are one trouble, others each their own', () => {
    const shared = [place({ served: 'by-builtin' }), place({ id: 'us-east-1', name: 'Ohio', served: 'by-builtin' })]
    const troubles = troublesOf({
      ...healthyFacts(),
      locations: [...shared, place({ id: 'eu-west-2', name: 'London' }), served],
    })
    expect(troubles.map(({ title }) => title)).toEqual(['No agent serves London', 'No agent serves Ireland, Ohio'])
  })

  test('a silent agent is told only while others of its location run and none took its place', () => {
    const agent = { agentId: 'x', name: 'Ireland', accountId: null, silentMs: 3 * minute, replaced: false, others: 1 }
    expect(codes({ ...healthyFacts(), agents: [agent] })).toEqual(['AGENT_SILENT'])
    expect(codes({ ...healthyFacts(), agents: [{ ...agent, replaced: true }] })).toEqual([])
    expect(codes({ ...healthyFacts(), agents: [{ ...agent, others: 0 }] })).toEqual([])
  })
})

test('a standby that sees its leader has no trouble with agents and schedule', () => {
  const standby = { leading: false, otherLeads: true, noAgentMs: 9 * minute, locations: [place({})] }
  expect(codes({ ...healthyFacts(), ...standby })).toEqual([])
})

test('the worst comes first', () => {
  const facts = {
    ...healthyFacts(),
    noAgentMs: minute,
    disk: { free: 1, size: gib, lowMs: 0 },
    deliveryRoundMs: minute,
  }
  expect(codes(facts)).toEqual(['NO_AGENT', 'NOTIFICATIONS_NOT_SENT', 'DISK_NEARLY_FULL'])
})

test('an old canary is a trouble only when another one was awaited in vain', () => {
  const at = (awaitedMs: number | null) => ({
    ...healthyFacts(),
    canary: {
      acceptedAt: healthyFacts().now - thresholds.canaryAgeMs - 1,
      failure: null,
      reason: null,
      failedAt: null,
      awaitedMs,
    },
  })
  expect(codes(at(null))).toEqual([])
  expect(codes(at(thresholds.canaryAwaitedMs - 1))).toEqual([])
  expect(codes(at(thresholds.canaryAwaitedMs))).toEqual(['CANARY_FAILED'])
})

test('a location with a key and no agent is told within a minute, by its name', () => {
  const awaited = (withoutAgentMs: number) => ({
    ...healthyFacts(),
    locations: [place({ awaited: true, withoutAgentMs }), served],
  })
  expect(troublesOf(awaited(30_000))).toEqual([])
  expect(troublesOf(awaited(55_000))).toMatchObject([
    {
      code: 'LOCATION_WITHOUT_AGENT',
      title: 'No agent has ever connected for Ireland',
      text: 'Ireland has a key, but no agent has ever connected with it: checks do not run there.',
    },
  ])
})
