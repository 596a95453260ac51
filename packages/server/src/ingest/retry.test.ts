import type { RetryStrategy } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { describe, expect, it, test } from 'vitest'
import { someRef } from '../../test-support/runs.ts'
import type { RunRef } from '../runs.ts'
import { nextAttempt, type FailedAttempt } from './retry.ts'
import type { RunSettings } from './run-store.ts'

const dueAt = Date.UTC(2026, 5, 1, 12)
const accountId = '00000000-0000-4000-8000-000000000001'
const checkId = '7b1c3a52-4f0e-4d52-9d0e-0a1b2c3d4e5f'
const sequence = sequenceId(checkId, dueAt, 'eu-west-1')

const ref = (attempt: number, location: RunRef['location'] = 'eu-west-1'): RunRef => {
  const ids = { sequenceId: sequence, attemptId: attemptId(sequence, dueAt, attempt) }
  return someRef({ now: () => dueAt }, { ...ids, accountId, checkId, revision: 3, location, attempt })
}

const failed = (attempt: number, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  ref: ref(attempt),
  networkError: false,
  runStartedAt: dueAt,
  endedAt: dueAt,
  late: false,
  lost: false,
  ...more,
})

const plan = (strategy: Partial<RetryStrategy> | null, more: Partial<RunSettings> = {}): RunSettings => ({
  retryStrategy: strategy && {
    type: 'FIXED',
    baseBackoffSeconds: 5,
    sameRegion: true,
    maxRetries: 3,
    maxDurationSeconds: 600,
    onlyOn: [],
    ...strategy,
  },
  locations: ['eu-west-1', 'us-east-1', 'ap-south-1'],
  runParallel: false,
  ...more,
})

const delays = (type: RetryStrategy['type'], maxRetries = 3) =>
  [0, 1, 2, 3].map((attempt) => {
    const next = nextAttempt(plan({ type, maxRetries }), failed(attempt), dueAt)
    return next && (next.runAt - dueAt) / 1000
  })

test.each<[RetryStrategy['type'], number, (number | undefined)[]]>([
  ['FIXED', 3, [5, 5, 5, undefined]],
  ['LINEAR', 3, [5, 10, 15, undefined]],
  ['EXPONENTIAL', 3, [5, 25, 125, undefined]],
  ['SINGLE_RETRY', 1, [5, undefined, undefined, undefined]],
])('%s waits as its name says and stops', (type, maxRetries, expected) => {
  expect(delays(type, maxRetries)).toEqual(expected)
})

describe('a retry that said nothing', () => {
  const lost = (attempt: number) => failed(attempt, { lost: true, late: true })

  it('is made once more, at once and elsewhere, beyond what the strategy allows', () => {
    const elsewhere = plan({ sameRegion: false, maxRetries: 1, onlyOn: ['NETWORK_ERROR'] })
    expect(nextAttempt(elsewhere, lost(1), dueAt)).toMatchObject({ attempt: 2, location: 'us-east-1', runAt: dueAt })
    expect(nextAttempt(elsewhere, lost(2), dueAt)).toBeUndefined()
  })

  it('is made elsewhere also when retries are to stay where they are', () => {
    expect(nextAttempt(plan({ sameRegion: true }), lost(1), dueAt)?.location).toBe('us-east-1')
  })

  it('is not when there is no other location to ask', () => {
    expect(nextAttempt(plan({ sameRegion: false }, { locations: ['eu-west-1'] }), lost(1), dueAt)).toBeUndefined()
    expect(nextAttempt(plan({ sameRegion: false }, { runParallel: true }), lost(1), dueAt)).toBeUndefined()
  })
})

describe('a retry', () => {
  it('belongs to the same run and has an id of its own', () => {
    const next = nextAttempt(plan({}), failed(0), dueAt + 700)
    expect(next).toEqual({
      ...ref(1),
      attemptId: attemptId(sequence, dueAt, 1),
      runAt: dueAt + 5700,
    })
  })

  it('takes another location when it may, in turn', () => {
    const away = plan({ sameRegion: false })
    expect(nextAttempt(away, failed(0), dueAt)?.location).toBe('us-east-1')
    expect(nextAttempt(away, failed(1, { ref: ref(1, 'ap-south-1') }), dueAt)?.location).toBe('eu-west-1')
  })

  it('stays where it is when there is no other location', () => {
    expect(nextAttempt(plan({ sameRegion: false }, { locations: ['eu-west-1'] }), failed(0), dueAt)?.location).toBe(
      'eu-west-1',
    )
  })

  it('goes to one of its locations when its own was taken away', () => {
    const next = nextAttempt(plan({ sameRegion: false }), failed(0, { ref: ref(0, 'sa-east-1') }), dueAt)
    expect(next?.location).toBe('eu-west-1')
  })

  it('stays where it is in a parallel run, whatever the strategy says', () => {
    expect(nextAttempt(plan({ sameRegion: false }, { runParallel: true }), failed(0), dueAt)?.location).toBe(
      'eu-west-1',
    )
  })

  it('is not made without a strategy', () => {
    expect(nextAttempt(plan(null), failed(0), dueAt)).toBeUndefined()
  })

  it('is not made after other failures when only network errors count', () => {
    const networkOnly = plan({ onlyOn: ['NETWORK_ERROR'] })
    expect(nextAttempt(networkOnly, failed(0), dueAt)).toBeUndefined()
    expect(nextAttempt(networkOnly, failed(0, { networkError: true }), dueAt)?.attempt).toBe(1)
  })

  it('is not made for a result that came late', () => {
    expect(nextAttempt(plan({}), failed(0, { late: true }), dueAt)).toBeUndefined()
  })

  it('must start within the longest duration of the run, run time included', () => {
    const short = plan({ maxDurationSeconds: 30 })
    const endedAfter = (ms: number) => nextAttempt(short, failed(0, { endedAt: dueAt + ms }), dueAt + ms)
    expect(endedAfter(25_000)?.attempt).toBe(1)
    expect(endedAfter(25_001)).toBeUndefined()
  })

  it('is made also when the server heard of the failure only when that was over', () => {
    const heardAt = dueAt + 180_000
    const next = nextAttempt(plan({ maxDurationSeconds: 30 }), failed(0, { endedAt: dueAt + 25_000 }), heardAt)
    expect(next).toMatchObject({ attempt: 1, runAt: heardAt + 5000 })
  })

  it('has no longest duration when it is a single one', () => {
    const single = plan({ type: 'SINGLE_RETRY', baseBackoffSeconds: 600, maxRetries: 1, maxDurationSeconds: 1 })
    expect(nextAttempt(single, failed(0), dueAt)?.attempt).toBe(1)
  })
})
