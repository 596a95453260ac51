import { expect, test } from 'vitest'
import { healthyFacts } from '../../test-support/health.ts'
import type { Trouble } from '../trouble.ts'
import type { HealthFacts } from './facts/facts.ts'
import { endOf } from './troubles/trouble-ends.ts'
import { troublesOf } from './troubles/troubles.ts'

const minute = 60_000

test('failing channels are not over because nobody leads', () => {
  const failing = { accountId: 'a', channels: ['webhook to x'], since: 0 }
  const led: HealthFacts = { ...healthyFacts(), failingChannels: [failing] }
  const [trouble] = troublesOf(led)
  expect(trouble?.code).toBe('NOTIFICATIONS_FAILING')
  // The database turned read-only: the lease cannot be renewed, the channels are as before.
  const lost: HealthFacts = { ...led, leading: false, leaseFault: 'read-only', leaderlessMs: 10 * minute }
  expect(troublesOf(lost).map(({ code }) => code)).not.toContain('NOTIFICATIONS_FAILING')
  expect(endOf(lost, trouble as Trouble)).toBeUndefined()
})

test('the end of a schedule that stood still is told also while one run or another is due at every look', () => {
  const [stuck] = troublesOf({ ...healthyFacts(), schedule: { ...healthyFacts().schedule, overdueMs: 2 * minute } })
  expect(stuck?.code).toBe('SCHEDULE_STUCK')
  // Something is due at two looks in a row, and the last tick was 20 milliseconds ago.
  const busy: HealthFacts = { ...healthyFacts(), schedule: { ...healthyFacts().schedule, overdueMs: 20 } }
  expect(endOf(busy, stuck as Trouble)).toBe(stuck?.over)
})
