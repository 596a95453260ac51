import { completeAlertSettings } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import { initialState, readAlertState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult, type Decision } from './next-state.ts'

const minute = 60_000
const locations = ['eu-west-1', 'us-east-1', 'ap-south-1', 'sa-east-1']
type Word = 'pass' | 'degraded' | 'fail' | 'unknown'

function word(slot: number, location: number, outcome: Word, more: Partial<DecidedResult> = {}): DecidedResult {
  return {
    resultId: `${slot} in ${locations[location]}`,
    dueAt: slot * minute,
    location: locations[location] ?? '',
    outcome: outcome === 'degraded' ? 'pass' : outcome,
    degraded: outcome === 'degraded',
    cause: outcome === 'pass' ? null : `${outcome} in ${locations[location]}`,
    responseMs: 400,
    statusCode: null,
    startedAt: 1,
    finishedAt: 2,
    late: false,
    cancelled: false,
    expected: locations,
    ...more,
  }
}
const everywhere = (slot: number, outcome: Word) => locations.map((_, location) => word(slot, location, outcome))

function fold(results: readonly DecidedResult[], percentage?: 10 | 50 | 100, threshold = 1) {
  const settings = completeAlertSettings({
    runBasedEscalation: { failedRunThreshold: threshold },
    ...(percentage && { parallelRunFailureThreshold: { enabled: true, percentage } }),
  })
  let state: AlertState = initialState()
  return results.map((result): Decision => {
    const decision = nextState(state, result, { settings, muted: false }, result.dueAt)
    state = readAlertState(JSON.parse(JSON.stringify(decision.state)))
    return decision
  })
}
const alertsOf = (decisions: readonly Decision[]) => decisions.flatMap(({ alert }) => alert?.type ?? [])
const lastOf = (decisions: readonly Decision[]) => decisions.at(-1)

describe('a parallel run', () => {
  it('passes when all locations have reported', () => {
    const decisions = fold(everywhere(1, 'pass'))
    expect(decisions.map(({ status }) => status?.state)).toEqual(['unknown', 'unknown', 'unknown', 'passing'])
  })

  it('fails at its first failing location and alerts once', () => {
    const decisions = fold([word(1, 0, 'pass'), word(1, 1, 'fail'), word(1, 2, 'fail'), word(1, 3, 'pass')])
    expect(decisions[1]?.alert?.type).toBe('ALERT_FAILURE')
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
    expect(decisions[2]?.status).toMatchObject({
      state: 'failing',
      failingLocations: ['ap-south-1', 'us-east-1'],
      cause: 'fail in ap-south-1',
    })
  })

  it('counts as one failed run, however many locations fail', () => {
    expect(alertsOf(fold([...everywhere(1, 'fail')], undefined, 2))).toEqual([])
    expect(alertsOf(fold([...everywhere(1, 'fail'), ...everywhere(2, 'fail')], undefined, 2))).toEqual([
      'ALERT_FAILURE_REMAIN',
    ])
  })

  it('recovers only when no location fails any more', () => {
    const broken = fold([...everywhere(1, 'fail'), word(2, 0, 'pass'), word(2, 1, 'pass'), word(2, 2, 'pass')])
    expect(alertsOf(broken)).toEqual(['ALERT_FAILURE'])
    const healed = fold([...everywhere(1, 'fail'), ...everywhere(2, 'pass')])
    expect(alertsOf(healed)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(lastOf(healed)?.status).toMatchObject({ hasFailures: false, failingLocations: [] })
  })

  it('is degraded when a location is and none fails', () => {
    const decisions = fold([...everywhere(1, 'pass').slice(1), word(1, 0, 'degraded')])
    expect(alertsOf(decisions)).toEqual(['ALERT_DEGRADED'])
    expect(lastOf(decisions)?.status).toMatchObject({ state: 'degraded', isDegraded: true })
  })

  it('reports the location in trouble, whichever location completes it', () => {
    const decisions = fold([word(1, 0, 'degraded'), ...everywhere(1, 'pass').slice(1)])
    expect(lastOf(decisions)?.alert?.basis).toMatchObject({
      resultId: '1 in eu-west-1',
      location: 'eu-west-1',
      cause: 'degraded in eu-west-1',
    })
    expect(lastOf(decisions)?.status?.cause).toBe('degraded in eu-west-1')
  })

  it('that a loss completes reports a location with a known outcome', () => {
    const decisions = fold([
      ...everywhere(1, 'fail'),
      ...everywhere(2, 'pass').slice(0, 3),
      word(2, 3, 'unknown', { late: true }),
    ])
    expect(lastOf(decisions)?.alert?.basis.resultId).toBe('2 in ap-south-1')
  })

  it('is decided in whatever order the locations report, and older runs change nothing then', () => {
    const decisions = fold([...everywhere(2, 'pass'), ...everywhere(1, 'fail')])
    expect(alertsOf(decisions)).toEqual([])
    expect(lastOf(decisions)?.state.condition).toBe('passing')
  })

  it('waits for a slow location while the next run already started', () => {
    const decisions = fold([
      ...everywhere(1, 'fail'),
      ...everywhere(2, 'pass').slice(0, 3),
      word(3, 0, 'pass'),
      word(2, 3, 'pass'),
    ])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('does not wait for a location whose last result is not known', () => {
    const silent = [...everywhere(1, 'fail').slice(0, 3), word(1, 3, 'unknown')]
    const decisions = fold([...silent, ...everywhere(2, 'pass').slice(0, 3)])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(lastOf(decisions)?.status?.hasErrors).toBe(true)
  })

  it('recovers with a loss recorded late: that says nothing late about the target', () => {
    const decisions = fold([
      ...everywhere(1, 'fail'),
      ...everywhere(2, 'pass').slice(0, 3),
      word(2, 3, 'unknown', { late: true }),
    ])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('says nothing when no location knows', () => {
    const decisions = fold([...everywhere(1, 'fail'), ...everywhere(2, 'unknown')])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
    expect(lastOf(decisions)?.state.condition).toBe('failing')
  })
})

describe('words of several runs', () => {
  it('are never added up to one', () => {
    const decisions = fold([word(1, 0, 'pass'), word(2, 1, 'pass'), word(2, 2, 'pass'), word(2, 3, 'pass')])
    expect(lastOf(decisions)?.status?.state).toBe('unknown')
  })

  it('wait only for runs newer than the one decided', () => {
    const decisions = fold([word(1, 1, 'pass'), word(3, 1, 'pass'), ...everywhere(2, 'fail').slice(2)])
    expect(lastOf(decisions)?.state.open.map(({ dueAt }) => dueAt)).toEqual([3 * minute])
  })

  it('count once for each location', () => {
    const [, second] = fold([word(1, 0, 'fail'), word(1, 0, 'fail')])
    expect(second).toMatchObject({ status: undefined, alert: undefined })
  })

  it('page nobody when one of them came late', () => {
    expect(alertsOf(fold([word(1, 0, 'pass', { late: true }), word(1, 1, 'fail')]))).toEqual([])
  })

  it('are kept of the newest runs when there are too many', () => {
    const decisions = fold([
      ...Array.from({ length: 40 }, (_, at) => word(21 + at, 0, 'pass')),
      ...Array.from({ length: 5 }, (_, at) => word(1 + at, 1, 'pass')),
    ])
    const kept = lastOf(decisions)?.state.open.map(({ dueAt }) => dueAt / minute)
    expect(kept).toEqual(Array.from({ length: 40 }, (_, at) => 21 + at))
  })
})

describe('a share of locations that must fail', () => {
  it('is taken of the locations that may still know', () => {
    const decisions = fold([word(1, 0, 'unknown'), word(1, 1, 'unknown'), word(1, 2, 'fail')], 50)
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
  })

  it('applies to two locations, and to none when it is switched off', () => {
    const two = { expected: locations.slice(0, 2) }
    expect(alertsOf(fold([word(1, 0, 'fail', two), word(1, 1, 'pass', two)], 100))).toEqual([])
    const many = { expected: [...locations, ...Array.from({ length: 8 }, (_, at) => `other-${at}`)] }
    expect(alertsOf(fold([word(1, 0, 'fail', many)]))).toEqual(['ALERT_FAILURE'])
  })

  it('pages nobody below it, and still shows the failing location', () => {
    const decisions = fold([...everywhere(1, 'pass').slice(1), word(1, 0, 'fail')], 50)
    expect(alertsOf(decisions)).toEqual([])
    expect(lastOf(decisions)?.status).toMatchObject({
      state: 'passing',
      hasFailures: true,
      failingLocations: ['eu-west-1'],
      cause: 'fail in eu-west-1',
    })
  })

  it('pages at the location that reaches it', () => {
    const decisions = fold([word(1, 0, 'fail'), word(1, 1, 'pass'), word(1, 2, 'fail')], 50)
    expect(decisions.map(({ alert }) => alert?.type)).toEqual([undefined, undefined, 'ALERT_FAILURE'])
  })

  it('counts only locations that know', () => {
    const decisions = fold([word(1, 0, 'fail'), word(1, 1, 'unknown'), word(1, 2, 'unknown'), word(1, 3, 'fail')], 100)
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
  })

  it('does not apply to a single location', () => {
    const alone = { expected: ['eu-west-1'] }
    expect(alertsOf(fold([word(1, 0, 'fail', alone)], 100))).toEqual(['ALERT_FAILURE'])
  })
})

describe('the memory of a check', () => {
  it('stays small when a location never reports', () => {
    const decisions = fold(Array.from({ length: 500 }, (_, slot) => word(slot + 1, 0, 'pass')))
    expect(lastOf(decisions)?.state.open.length).toBeLessThanOrEqual(40)
    expect(JSON.stringify(lastOf(decisions)?.state).length).toBeLessThan(12_000)
  })

  it('forgets locations the check left and runs it no longer makes', () => {
    const before = fold([...everywhere(1, 'fail'), word(2, 0, 'pass')])
    const [after] = [
      nextState(
        lastOf(before)?.state ?? initialState(),
        { ...word(3, 0, 'pass'), expected: undefined },
        { settings: completeAlertSettings({}), muted: false },
        0,
      ),
    ]
    expect(after?.state).toMatchObject({ open: [], locations: {}, condition: 'passing' })
    const fewer = nextState(
      lastOf(before)?.state ?? initialState(),
      word(3, 0, 'pass', { expected: ['eu-west-1'] }),
      { settings: completeAlertSettings({}), muted: false },
      0,
    )
    expect(Object.keys(fewer.state.locations)).toEqual(['eu-west-1'])
    expect(fewer.status?.state).toBe('passing')
  })
})
