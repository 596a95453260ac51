import { describe, expect, it } from 'vitest'
import { sessionStatus, type SessionFacts, type SessionResult } from './session-status.ts'

const result = (sequenceId: string, outcome: SessionResult['outcome'], more: Partial<SessionResult> = {}) => ({
  sequenceId,
  resultType: 'FINAL' as const,
  outcome,
  degraded: false,
  ...more,
})
const pass = (sequence: string) => result(sequence, 'pass')
const fail = (sequence: string) => result(sequence, 'fail')
const slow = (sequence: string) => result(sequence, 'pass', { degraded: true })
const unknown = (sequence: string) => result(sequence, 'unknown')
const attempt = (sequence: string) => result(sequence, 'fail', { resultType: 'ATTEMPT' })

const two = { sequenceIds: ['a', 'b'] }
const table: [what: string, facts: Partial<SessionFacts>, status: string][] = [
  ['nothing came back yet', {}, 'STARTED'],
  ['it waits for its turn', { sequenceIds: [], giveUpAt: null }, 'STARTED'],
  ['one of two locations passed', { ...two, results: [pass('a')] }, 'PROGRESS'],
  ['one of two locations was slow', { ...two, results: [slow('a')] }, 'PROGRESS_DEGRADED'],
  ['one of two locations failed', { ...two, results: [fail('a')] }, 'PROGRESS_FAILED'],
  [
    'one failed and the other was slow so far',
    { sequenceIds: ['a', 'b', 'c'], results: [fail('a'), slow('b')] },
    'PROGRESS_FAILED',
  ],
  ['of one of two nothing is known', { ...two, results: [unknown('a')] }, 'PROGRESS_FAILED'],
  ['an attempt failed and is retried', { results: [attempt('a')] }, 'PROGRESS_FAILED'],
  ['a retry passed', { results: [attempt('a'), pass('a')] }, 'PASSED'],
  ['the last retry failed', { results: [attempt('a'), fail('a')] }, 'FAILED'],
  ['all locations passed', { ...two, results: [pass('a'), pass('b')] }, 'PASSED'],
  ['one location was slow', { ...two, results: [pass('a'), slow('b')] }, 'DEGRADED'],
  ['one location failed', { ...two, results: [slow('a'), fail('b')] }, 'FAILED'],
  ['nothing is known in the end', { results: [unknown('a')] }, 'FAILED'],
  ['its time is over', { now: 1000 }, 'TIMED_OUT'],
  ['its time is over and one location is missing', { ...two, results: [fail('a')], now: 1000 }, 'TIMED_OUT'],
  ['it came back too late', { results: [pass('a')], now: 1000 }, 'TIMED_OUT'],
  ['it came back in the last moment', { results: [pass('a')], now: 999 }, 'PASSED'],
  ['it was cancelled', { cancelled: ['a'] }, 'CANCELLED'],
  ['it was cancelled while it ran', { cancelled: ['a'], results: [unknown('a')] }, 'CANCELLED'],
  ['it was cancelled after a failed attempt', { cancelled: ['a'], results: [attempt('a')] }, 'CANCELLED'],
  ['one location was cancelled and the other passed', { ...two, cancelled: ['a'], results: [pass('b')] }, 'PASSED'],
  ['one location was cancelled and the other is open', { ...two, cancelled: ['a'] }, 'STARTED'],
]

describe('the status of a session', () => {
  it.each(table)('when %s', (_what, facts, status) => {
    expect(sessionStatus({ sequenceIds: ['a'], cancelled: [], results: [], giveUpAt: 1000, now: 0, ...facts })).toBe(
      status,
    )
  })
})
