import { expect, test } from 'vitest'
import { TestClock } from '../../../test-support/clock.ts'
import type { CommittedResult } from '../../runs.ts'
import { UnknownRuns } from './unknown-runs.ts'

const minute = 60_000
const result = (changes: Partial<CommittedResult>): CommittedResult => ({
  resultId: 'r',
  accountId: 'a',
  checkId: 'c',
  location: 'eu-west-1',
  dueAt: 0,
  source: 'SCHEDULER',
  resultType: 'FINAL',
  outcome: 'unknown',
  degraded: false,
  responseMs: null,
  cause: 'The agent stalled',
  attempts: 0,
  status: { previousState: 'unknown', state: 'unknown', since: 0, cause: null, failingLocations: [], lastPassAt: null },
  retry: undefined,
  notifications: 0,
  ...changes,
})

test('runs that end as not known are counted from the first after the last known outcome', async () => {
  const clock = new TestClock()
  const runs = new UnknownRuns(clock, 'canary')
  expect(runs.condition()).toEqual({ count: 0, forMs: 0, cause: null })
  runs.stored([result({ outcome: 'pass' }), result({ resultType: 'ATTEMPT' }), result({})])
  await clock.advance(5 * minute)
  runs.stored([result({})])
  await clock.advance(5 * minute)
  expect(runs.condition()).toEqual({ count: 2, forMs: 10 * minute, cause: 'The agent stalled' })
  runs.stored([result({ outcome: 'fail' })])
  expect(runs.condition().count).toBe(0)
})

test('neither the canary, nor passive checks, nor what is delivered again ends or lengthens it', () => {
  const runs = new UnknownRuns(new TestClock(), 'canary')
  runs.stored([result({})])
  runs.stored([
    result({ accountId: 'canary', outcome: 'fail' }),
    result({ location: null, outcome: 'pass' }),
    result({ repeated: true, outcome: 'pass' }),
    result({ repeated: true }),
  ])
  expect(runs.condition().count).toBe(1)
})
