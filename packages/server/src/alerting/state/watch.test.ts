import { staleAfterMs } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult } from './next-state.ts'
import { causeOfUnwatched, isUnwatchedAfter, watchAfter } from './watch.ts'
import { completeAlertSettings } from '@vedette/wire'

const minute = 60_000
const hour = 60 * minute

const result = (at: number, outcome: DecidedResult['outcome'], more: Partial<DecidedResult> = {}): DecidedResult =>
  decidedResult(outcome, 1000 * hour + at * minute, {
    cause: outcome === 'pass' ? null : `${outcome} at ${at}`,
    ...more,
  })

/** Applies results in order and returns the alerts about the watch, and of the target. */
function told(results: readonly DecidedResult[], quiet: (index: number) => boolean = () => false) {
  const policy = { settings: completeAlertSettings({}), muted: false }
  let state: AlertState = initialState()
  const alerts = results.map((one, index) => {
    const decision = nextState(state, one, policy, one.dueAt)
    const watched = decision.status
      ? watchAfter(decision.state, one, { quiet: quiet(index) })
      : { state, alert: undefined }
    state = watched.state
    return [watched.alert?.type, decision.alert?.type].filter((type) => type !== undefined).join('+')
  })
  return { alerts, state }
}

describe('a check that is not known', () => {
  it('three times in a row is told of once, and its end with the first known result', () => {
    const results = [0, 1, 2, 3, 4].map((at) => result(at, 'unknown'))
    expect(told([...results, result(5, 'pass'), result(6, 'pass')]).alerts).toEqual([
      '',
      '',
      'ALERT_UNKNOWN',
      '',
      '',
      'ALERT_UNKNOWN_RECOVERY',
      '',
    ])
  })

  it('twice is not told of, and a known result starts the row again', () => {
    const row = [result(0, 'unknown'), result(1, 'unknown'), result(2, 'pass'), result(3, 'unknown')]
    const { alerts, state } = told([...row, result(4, 'unknown')])
    expect(alerts.join('')).toBe('')
    expect(state.unwatched).toMatchObject({ runs: 2, since: result(3, 'unknown').dueAt })
  })

  it('for an hour is told of with the result that shows it', () => {
    expect(told([result(0, 'unknown'), result(60, 'unknown')]).alerts).toEqual(['', 'ALERT_UNKNOWN'])
    expect(told([result(0, 'unknown'), result(59, 'unknown')]).alerts).toEqual(['', ''])
  })

  it('for an hour is unwatched without another result, once that could have come', () => {
    expect(isUnwatchedAfter(hour + staleAfterMs)).toBe(true)
    expect(isUnwatchedAfter(hour + staleAfterMs - 1)).toBe(false)
  })

  it('keeps the state of its target: a failure stays open and recovers by itself', () => {
    const results = [result(0, 'fail'), ...[1, 2, 3].map((at) => result(at, 'unknown')), result(4, 'fail')]
    const { alerts, state } = told(results)
    expect(alerts).toEqual(['ALERT_FAILURE', '', '', 'ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY'])
    expect(state).toMatchObject({ condition: 'failing', notified: 'failing', unwatched: null })
  })

  it('and then fails is told of both, the watch first', () => {
    const results = [...[1, 2, 3].map((at) => result(at, 'unknown')), result(4, 'fail')]
    expect(told(results).alerts.at(-1)).toBe('ALERT_UNKNOWN_RECOVERY+ALERT_FAILURE')
  })

  it('is not told of while it is quiet, and is with the next result when it is not', () => {
    const results = [0, 1, 2, 3, 4].map((at) => result(at, 'unknown'))
    expect(told(results, (index) => index < 4).alerts).toEqual(['', '', '', '', 'ALERT_UNKNOWN'])
  })

  it('is not known again by what happened before, nor by what came late', () => {
    const row = [1, 2, 3].map((at) => result(at, 'unknown'))
    const { alerts, state } = told([...row, result(2, 'pass'), result(4, 'pass', { late: true }), result(5, 'pass')])
    expect(alerts.slice(3)).toEqual(['', '', 'ALERT_UNKNOWN_RECOVERY'])
    expect(state.unwatched).toBeNull()
  })

  it('forgets a row that was not told of with a late result', () => {
    expect(told([result(1, 'unknown'), result(2, 'pass', { late: true })]).state.unwatched).toBeNull()
  })

  it('yields to the real result of its newest slot', () => {
    expect(told([result(1, 'unknown'), result(1, 'pass')]).state.unwatched).toBeNull()
  })

  it('says why', () => {
    const { unwatched } = told([result(0, 'unknown'), result(1, 'unknown')]).state
    expect(unwatched && causeOfUnwatched(unwatched)).toBe(
      'The last 2 runs could not tell how the target is. unknown at 1',
    )
    const one = told([result(0, 'unknown', { cause: null })]).state.unwatched
    expect(one && causeOfUnwatched(one)).toBe('The last run could not tell how the target is. No cause is known.')
  })
})

describe('a parallel check', () => {
  const parallel = { expected: ['eu-west-1', 'us-east-1'], lapseMs: hour }
  const of = (at: number, location: string, outcome: DecidedResult['outcome']) =>
    result(at, outcome, { location, parallel })

  it('is watched while one of its locations knows', () => {
    const results = [1, 2, 3, 4].flatMap((at) => [of(at, 'eu-west-1', 'pass'), of(at, 'us-east-1', 'unknown')])
    const { alerts, state } = told(results)
    expect(alerts.join('')).toBe('')
    expect(state.unwatched).toBeNull()
  })

  it('is not when none knows for three slots, which count once', () => {
    const results = [1, 2, 3].flatMap((at) => [of(at, 'eu-west-1', 'unknown'), of(at, 'us-east-1', 'unknown')])
    expect(told(results).alerts).toEqual(['', '', '', '', 'ALERT_UNKNOWN', ''])
  })

  it('is again with the first location that knows', () => {
    const lost = [1, 2, 3].flatMap((at) => [of(at, 'eu-west-1', 'unknown'), of(at, 'us-east-1', 'unknown')])
    expect(told([...lost, of(4, 'us-east-1', 'pass')]).alerts.at(-1)).toBe('ALERT_UNKNOWN_RECOVERY')
  })
})
