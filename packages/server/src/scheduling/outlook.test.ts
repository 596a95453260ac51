import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CommittedResult, RunRef } from '../runs.ts'
import { Outlook } from './outlook.ts'

const checkId = randomUUID()
let outlook: Outlook
beforeEach(() => {
  outlook = new Outlook()
})

function ended(outcome: CommittedResult['outcome'], more: Partial<CommittedResult> = {}): void {
  const result = { checkId, location: 'eu-west-1', resultType: 'FINAL', outcome, degraded: false, ...more }
  outlook.follow(result as CommittedResult, more.location !== undefined)
}

const urgency = (more: Partial<RunRef> = {}) =>
  outlook.urgencyOf(
    { checkId, location: 'eu-west-1', attempt: 0, source: 'SCHEDULER', ...more } as RunRef,
    more.location !== undefined,
  )

describe('a run is urgent', () => {
  it('while nothing is known of its check', () => {
    expect(urgency()).toBe('urgent')
  })

  it('and goes before others while the last run did not tell how the target is', () => {
    ended('pass')
    ended('pass')
    ended('unknown')
    expect([urgency(), urgency({ attempt: 1 })]).toEqual(['overdue', 'overdue'])
    ended('pass')
    expect(urgency()).toBe('urgent')
  })

  it('until two results in a row agree, and again after a change', () => {
    ended('pass')
    expect(urgency()).toBe('urgent')
    ended('pass')
    expect(urgency()).toBe('steady')
    ended('fail')
    expect(urgency()).toBe('urgent')
    ended('fail')
    expect(urgency()).toBe('steady')
    ended('pass', { degraded: true })
    expect(urgency()).toBe('urgent')
  })

  it('when it confirms a failure of a check that was well, not when the check is known to fail', () => {
    ended('pass')
    ended('pass')
    ended('fail', { resultType: 'ATTEMPT' })
    expect([urgency(), urgency({ attempt: 1 })]).toEqual(['steady', 'urgent'])
    ended('fail')
    ended('fail')
    expect(urgency({ attempt: 1 })).toBe('steady')
  })

  it('when it was asked for, and when its check was forgotten', () => {
    ended('pass')
    ended('pass')
    expect(urgency({ source: 'SCHEDULE_NOW' })).toBe('urgent')
    outlook.forget(checkId)
    expect(urgency()).toBe('urgent')
  })

  it('by what is known of its location, in a parallel run', () => {
    for (const outcome of ['pass', 'pass'] as const) ended(outcome, { location: 'eu-west-1' })
    for (const outcome of ['fail', 'pass'] as const) ended(outcome, { location: 'us-east-1' })
    expect([urgency({ location: 'eu-west-1' }), urgency({ location: 'us-east-1' })]).toEqual(['steady', 'urgent'])
  })
})
