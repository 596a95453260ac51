import { troubleCodes, type TroubleCode } from '@vedette/wire'
import { describe, expect, test } from 'vitest'
import { healthyFacts } from '../../../test-support/health.ts'
import type { Trouble } from '../../trouble.ts'
import type { HealthFacts, LocationFact } from '../facts/facts.ts'
import { endOf } from './trouble-ends.ts'

const minute = 60_000
const office: LocationFact = {
  id: 'pl_00000000-0000-4000-8000-000000000001',
  name: 'Office',
  accountId: 'a',
  served: 'by-own',
  agents: 1,
  awaited: false,
  withoutAgentMs: 0,
}
const agent = { agentId: 'x', name: 'Office', accountId: 'a', silentMs: 0, replaced: false, others: 1 }
const good = (changes: Partial<HealthFacts> = {}): HealthFacts => ({
  ...healthyFacts(),
  locations: [office],
  agents: [agent],
  canary: { acceptedAt: healthyFacts().now - minute, failure: null, reason: null, failedAt: null, awaitedMs: null },
  deadman: { accepted: true, failingMs: 0, reason: null },
  ...changes,
})

const keys: Partial<Record<TroubleCode, string>> = {
  LOCATION_WITHOUT_AGENT: `LOCATION_WITHOUT_AGENT ${office.id}`,
  AGENT_SILENT: 'AGENT_SILENT x',
}
const trouble = (code: TroubleCode, key = keys[code] ?? code): Trouble => ({
  key,
  code,
  severity: 'critical',
  subject: 'Office',
  accountId: null,
  location: null,
  title: 'It began',
  over: 'It is over',
  text: '',
  advice: '',
  since: 0,
})

test.each(troubleCodes)('%s is over when its fact is good', (code) => {
  expect(endOf(good(), trouble(code))).toBe('It is over')
})

type AlertedCode = Exclude<TroubleCode, 'LEADER_NOT_HEARD'>
const unknown: Record<AlertedCode, Partial<HealthFacts>> = {
  DATABASE_AWAY: { database: { answers: false, silentMs: 1000, reason: null } },
  RESULTS_NOT_STORED: { ingest: { commitAgeMs: null, failingMs: null, reason: null, works: false } },
  NO_SCHEDULER: { leading: false },
  SCHEDULE_STUCK: { schedule: { checks: 1, tickAgeMs: null, firstDueInMs: -5, overdueMs: 5 } },
  NO_AGENT: { agents: [] },
  NOTHING_KNOWN: { ingest: { commitAgeMs: null, failingMs: null, reason: null, works: false } },
  NOTIFICATIONS_NOT_SENT: { deliveryWorks: false },
  LOCATION_WITHOUT_AGENT: { locations: [{ ...office, agents: 0, withoutAgentMs: 5000 }] },
  AGENT_SILENT: { agents: [], countedMs: minute },
  NOTIFICATIONS_FAILING: { complete: false },
  QUEUE_TOO_LONG: { leading: false },
  DISK_NEARLY_FULL: { disk: null },
  CLOCK_LEAPT: { database: { answers: false, silentMs: 1000, reason: null } },
  CANARY_FAILED: { canary: null, complete: false },
  DEADMAN_UNREACHED: { deadman: { accepted: false, failingMs: 0, reason: null } },
}

const alertedCodes = troubleCodes.filter((code): code is AlertedCode => code !== 'LEADER_NOT_HEARD')
test.each(alertedCodes)('%s is not over while that is not known, as just after a restart', (code) => {
  expect(endOf(good(unknown[code]), trouble(code))).toBeUndefined()
})

test.each<[TroubleCode, Partial<HealthFacts>]>([
  ['DEADMAN_UNREACHED', { deadman: { accepted: false, failingMs: minute, reason: 'refused' } }],
  ['RESULTS_NOT_STORED', { ingest: { commitAgeMs: minute, failingMs: 5000, reason: 'full', works: false } }],
  ['NOTHING_KNOWN', { unknownRuns: { count: 1, forMs: 5000, cause: null } }],
])('%s is not over below its threshold', (code, changes) => {
  expect(endOf(good(changes), trouble(code))).toBeUndefined()
})

test('a schedule that stood still moves again also while one run or another is due at every look', () => {
  const busy = { checks: 1, tickAgeMs: 20, firstDueInMs: -20, overdueMs: 20 }
  expect(endOf(good({ schedule: busy }), trouble('SCHEDULE_STUCK'))).toBe('It is over')
  const slow = { checks: 1, tickAgeMs: 30_000, firstDueInMs: -30_000, overdueMs: 30_000 }
  expect(endOf(good({ schedule: slow }), trouble('SCHEDULE_STUCK'))).toBeUndefined()
})

test('failing channels are not over because nobody leads', () => {
  // The database turned read-only: the lease cannot be renewed, the channels are as before.
  const lost = { leading: false, leaseFault: 'read-only', leaderlessMs: 10 * minute }
  expect(endOf(good(lost), trouble('NOTIFICATIONS_FAILING'))).toBeUndefined()
})

describe('what was switched off is not said to work', () => {
  const noChecks = { schedule: { checks: 0, tickAgeMs: null, firstDueInMs: null, overdueMs: 0 }, locations: [] }
  test.each<[TroubleCode, Partial<HealthFacts>, string]>([
    ['DEADMAN_UNREACHED', { deadman: null }, 'VEDETTE_DEADMAN_URL is not set'],
    ['CANARY_FAILED', { canary: null }, 'switched off'],
    ['NO_AGENT', noChecks, 'No check runs any more'],
    ['NOTHING_KNOWN', noChecks, 'No check runs any more'],
    ['RESULTS_NOT_STORED', noChecks, 'No check runs any more'],
    ['LOCATION_WITHOUT_AGENT', noChecks, 'No check uses Office any more'],
    ['AGENT_SILENT', { agents: [] }, 'no longer expected'],
  ])('%s', (code, changes, words) => {
    expect(endOf(good(changes), trouble(code))).toContain(words)
  })
})
