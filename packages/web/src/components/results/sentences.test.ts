import { describe, expect, test } from 'vitest'
import { agentTrouble } from '../system/agent-trouble.ts'
import { headline } from '../checks/headline.ts'
import { causeSentence } from '../check-head/cause-sentence.ts'

describe('the headline', () => {
  test('says the worst state that occurs', () => {
    expect(headline({ failing: 1, degraded: 3, passing: 6 }, true)).toBe('1 of 10 checks is failing')
    expect(headline({ degraded: 3, passing: 7 }, true)).toBe('3 of 10 checks are degraded')
    expect(headline({ unknown: 1, passing: 1 }, true)).toBe('1 of 2 checks cannot be judged')
    expect(headline({ passing: 2, paused: 1 }, true)).toBe('All is well: all 2 checks pass')
    expect(headline({ passing: 1 }, true)).toBe('All is well: the check passes')
    expect(headline({ passing: 2, pending: 1 }, true)).toBe('All is well: 2 of 3 checks pass')
    expect(headline({ pending: 1, paused: 1 }, true)).toBe('1 check')
    expect(headline({ paused: 1 }, true)).toBe('1 check, paused')
    expect(headline({ paused: 3 }, true)).toBe('3 checks, paused')
  })
  test('never claims the present when the page is cut off', () => {
    expect(headline({ passing: 2 }, false)).toBe('Last known: all is well: all 2 checks pass')
  })
})

describe('the cause', () => {
  const failing = {
    state: 'failing',
    cause: 'TCP: db.example:5432 refused the connection',
    failingLocations: ['eu-west-1'],
    locationCount: 3,
  } as const
  test('says what is wrong and where', () => {
    expect(causeSentence({ ...failing, failingLocations: [...failing.failingLocations] })).toBe(
      'TCP: db.example:5432 refused the connection. At 1 of 3 locations: eu-west-1.',
    )
  })
  test('says of a check that waits for pings that none has come yet', () => {
    const pending = { ...failing, state: 'pending', failingLocations: [] } as const
    expect(causeSentence({ ...pending, failingLocations: [], periodMs: null })).toBe('The first ping has not come yet.')
    expect(causeSentence({ ...pending, failingLocations: [], periodMs: 60_000 })).toBe(
      'The first result is on its way.',
    )
  })
  test('never counts more failing locations than locations', () => {
    expect(causeSentence({ ...failing, cause: 'Too slow!', failingLocations: ['default'], locationCount: 0 })).toBe(
      'Too slow! At 1 of 1 location: default.',
    )
  })
})

describe('the health of the agents', () => {
  const well = { state: 'online', spooled: 0, eventLoopLagMs: 2 } as const
  test('is trouble when nobody checks, when one is silent, when results wait and when one is overloaded', () => {
    expect(agentTrouble([])).toContain('nothing is being checked')
    expect(agentTrouble([{ ...well, state: 'silent' }])).toContain('nothing is being checked')
    expect(agentTrouble([well, { ...well, state: 'silent' }])).toBe('1 of 2 agents is silent.')
    expect(agentTrouble([{ ...well, spooled: 4 }])).toContain('4 results')
    expect(agentTrouble([{ ...well, eventLoopLagMs: 900 }])).toContain('overloaded')
  })
  test('is not mentioned when all is well', () => {
    expect(agentTrouble([well])).toBeUndefined()
  })
})
