import { completeAlertSettings, type AlertType } from '@vedette/wire'
import { describe, expect, it, test } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState, readAlertState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult, type Decision } from './next-state.ts'
import type { AlertPolicy } from './transition.ts'

const minute = 60_000
const start = Date.UTC(2026, 5, 1)

type Step = 'pass' | 'degraded' | 'fail' | 'unknown'

function policyOf(settings: Parameters<typeof completeAlertSettings>[0] = {}, muted = false): AlertPolicy {
  return { settings: completeAlertSettings(settings), muted }
}
const afterRuns = (failedRunThreshold: number) => policyOf({ runBasedEscalation: { failedRunThreshold } })
const afterMinutes = (minutesFailingThreshold: 5 | 10 | 15 | 30) =>
  policyOf({ escalationType: 'TIME_BASED', timeBasedEscalation: { minutesFailingThreshold } })

const result = (step: Step, slot: number, more: Partial<DecidedResult> = {}): DecidedResult =>
  decidedResult(step, start + slot * minute, {
    resultId: `result ${slot}`,
    cause: step === 'pass' ? null : `${step} at ${slot}`,
    responseMs: 400,
    startedAt: 1,
    finishedAt: 2,
    ...more,
  })

/** Applies one result a minute and returns the alert of each. */
function notified(steps: readonly Step[], policy = policyOf(), more: Partial<DecidedResult> = {}) {
  let state = initialState()
  const alerts: (AlertType | null)[] = []
  for (const [slot, step] of steps.entries()) {
    const decision = nextState(state, result(step, slot + 1, more), policy, start + slot * minute)
    state = decision.state
    alerts.push(decision.alert && !decision.alert.muted ? decision.alert.type : null)
  }
  return alerts
}

describe('with a threshold of one run', () => {
  test.each<[string, Step[], (AlertType | null)[]]>([
    ['passing stays quiet', ['pass', 'pass'], [null, null]],
    ['a degraded run is notified at once', ['pass', 'degraded'], [null, 'ALERT_DEGRADED']],
    ['a failed run is notified at once', ['pass', 'fail'], [null, 'ALERT_FAILURE']],
    ['a check whose first run fails is notified', ['fail'], ['ALERT_FAILURE']],
    ['a check whose first run is degraded is notified', ['degraded'], ['ALERT_DEGRADED']],
    ['lasting degradation is notified once', ['degraded', 'degraded'], ['ALERT_DEGRADED', null]],
    ['lasting failure is notified once', ['fail', 'fail', 'fail'], ['ALERT_FAILURE', null, null]],
    ['the end of degradation is notified', ['degraded', 'pass'], ['ALERT_DEGRADED', 'ALERT_DEGRADED_RECOVERY']],
    ['the end of failure is notified', ['fail', 'pass'], ['ALERT_FAILURE', 'ALERT_RECOVERY']],
    ['worse is notified', ['degraded', 'fail'], ['ALERT_DEGRADED', 'ALERT_DEGRADED_FAILURE']],
    ['better is notified', ['fail', 'degraded'], ['ALERT_FAILURE', 'ALERT_FAILURE_DEGRADED']],
    [
      'every step of a long trouble is notified once',
      ['fail', 'degraded', 'degraded', 'fail', 'fail', 'pass', 'pass'],
      ['ALERT_FAILURE', 'ALERT_FAILURE_DEGRADED', null, 'ALERT_DEGRADED_FAILURE', null, 'ALERT_RECOVERY', null],
    ],
  ])('%s', (_, steps, alerts) => {
    expect(notified(steps)).toEqual(alerts)
  })
})

describe('with a threshold of three runs', () => {
  test.each<[string, Step[], (AlertType | null)[]]>([
    ['the third failure tells', ['fail', 'fail', 'fail', 'fail'], [null, null, 'ALERT_FAILURE_REMAIN', null]],
    ['the third degraded run tells', ['degraded', 'degraded', 'degraded'], [null, null, 'ALERT_DEGRADED_REMAIN']],
    ['a pass starts the count again', ['fail', 'fail', 'pass', 'fail', 'fail'], [null, null, null, null, null]],
    ['a failure without an alert ends without one', ['fail', 'fail', 'pass'], [null, null, null]],
    ['a degradation without an alert ends without one', ['degraded', 'pass'], [null, null]],
    ['worse is notified whatever the threshold', ['degraded', 'fail', 'fail'], [null, 'ALERT_DEGRADED_FAILURE', null]],
    ['better is notified whatever the threshold', ['fail', 'degraded'], [null, 'ALERT_FAILURE_DEGRADED']],
    [
      'what was notified of is not notified again when the count is reached',
      ['degraded', 'fail', 'fail', 'fail', 'pass'],
      [null, 'ALERT_DEGRADED_FAILURE', null, null, 'ALERT_RECOVERY'],
    ],
    [
      'runs that say nothing of the target neither count nor reset',
      ['fail', 'unknown', 'fail', 'unknown', 'fail'],
      [null, null, null, null, 'ALERT_FAILURE_REMAIN'],
    ],
  ])('%s', (_, steps, alerts) => {
    expect(notified(steps, afterRuns(3))).toEqual(alerts)
  })
})

describe('with a threshold in minutes', () => {
  it('alerts with the first failure that is due five minutes after the first', () => {
    const alerts = notified(['fail', 'fail', 'fail', 'fail', 'fail', 'fail', 'fail'], afterMinutes(5))
    expect(alerts).toEqual([null, null, null, null, null, 'ALERT_FAILURE_REMAIN', null])
  })

  it('counts degraded minutes alike', () => {
    const alerts = notified(['degraded', 'degraded', 'degraded', 'degraded', 'degraded', 'degraded'], afterMinutes(5))
    expect(alerts.at(-1)).toBe('ALERT_DEGRADED_REMAIN')
  })

  it('starts again after a pass', () => {
    const alerts = notified(['fail', 'fail', 'fail', 'pass', 'fail', 'fail', 'fail'], afterMinutes(5))
    expect(alerts.every((alert) => alert === null)).toBe(true)
  })
})

/** Applies the results in order and returns every decision. */
function fold(results: readonly DecidedResult[], policy: AlertPolicy | ((index: number) => AlertPolicy) = policyOf()) {
  let state: AlertState = initialState()
  return results.map((item, index): Decision => {
    const decision = nextState(state, item, typeof policy === 'function' ? policy(index) : policy, item.dueAt)
    state = readAlertState(JSON.parse(JSON.stringify(decision.state)))
    return decision
  })
}
const alertsOf = (decisions: readonly Decision[]) => decisions.map(({ alert }) => alert?.type ?? null)

describe('results that come late', () => {
  const late = { late: true }

  it('page nobody, the next failing one does', () => {
    const decisions = fold([result('pass', 1), result('fail', 2, late), result('fail', 20)])
    expect(alertsOf(decisions)).toEqual([null, null, 'ALERT_FAILURE_REMAIN'])
    expect(decisions[1]?.status?.state).toBe('failing')
  })

  it('page nobody at all when the trouble was over before an alert could be sent', () => {
    expect(alertsOf(fold([result('pass', 1), result('fail', 2, late), result('pass', 20)]))).toEqual([null, null, null])
  })

  it('count for the threshold', () => {
    const decisions = fold([result('fail', 1, late), result('fail', 2, late), result('fail', 20)], afterRuns(3))
    expect(alertsOf(decisions)).toEqual([null, null, 'ALERT_FAILURE_REMAIN'])
  })

  it('leave an escalation pending, whatever the threshold', () => {
    const steps = [result('degraded', 1), result('fail', 2, late), result('fail', 20)]
    expect(alertsOf(fold(steps, afterRuns(5)))).toEqual([null, null, 'ALERT_FAILURE_REMAIN'])
  })

  it('leave a recovery pending for the next pass', () => {
    const decisions = fold([result('fail', 1), result('pass', 2, late), result('pass', 20), result('pass', 21)])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', null, 'ALERT_RECOVERY', null])
  })

  it('do not hide a new failure behind a recovery that was not sent', () => {
    const decisions = fold([result('fail', 1), result('pass', 2, late), result('fail', 20), result('pass', 21)])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', null, 'ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('still owe the recovery when a failure below the threshold comes between', () => {
    const steps = [
      result('fail', 1),
      result('fail', 2),
      result('pass', 3, late),
      result('fail', 20),
      result('pass', 21),
    ]
    expect(alertsOf(fold(steps, afterRuns(2)))).toEqual([null, 'ALERT_FAILURE_REMAIN', null, null, 'ALERT_RECOVERY'])
  })
})

describe('results out of order', () => {
  it('change nothing when a newer one was there before', () => {
    const [, older] = fold([result('pass', 5), result('fail', 4)])
    expect(older).toMatchObject({ status: undefined, alert: undefined })
  })

  it('change nothing when they come twice', () => {
    const [, second] = fold([result('fail', 5), result('fail', 5)])
    expect(second).toMatchObject({ status: undefined, alert: undefined })
  })

  it('move the state when only a run that said nothing is newer', () => {
    const decisions = fold([result('unknown', 5), result('fail', 4)])
    expect(alertsOf(decisions)).toEqual([null, 'ALERT_FAILURE'])
    expect(decisions[1]?.status).toMatchObject({ state: 'failing', hasErrors: true })
  })
})

describe('runs that say nothing of the target', () => {
  it('set hasErrors and leave the rest', () => {
    const [, unknown] = fold([result('fail', 1), result('unknown', 2)])
    expect(unknown?.alert).toBeUndefined()
    expect(unknown?.status).toMatchObject({ state: 'failing', hasFailures: true, hasErrors: true, cause: undefined })
  })

  it('are what is known of a check that never said more', () => {
    expect(fold([result('unknown', 1)])[0]?.status).toMatchObject({
      state: 'unknown',
      stateSince: null,
      hasFailures: false,
      hasErrors: true,
      cause: 'unknown at 1',
    })
  })

  it('are forgotten with the next run that does', () => {
    expect(fold([result('unknown', 1), result('pass', 2)])[1]?.status).toMatchObject({ hasErrors: false, cause: null })
  })

  it('are cancelled runs too: nothing moves', () => {
    expect(fold([result('fail', 1, { cancelled: true })])[0]).toMatchObject({ status: undefined, alert: undefined })
  })
})

describe('muted checks', () => {
  const muted = policyOf({}, true)

  it('record alerts without telling, once', () => {
    const decisions = fold([result('fail', 1), result('fail', 2), result('pass', 3)], muted)
    expect(decisions.map(({ alert }) => alert)).toMatchObject([
      { type: 'ALERT_FAILURE', muted: true, basis: { resultId: 'result 1' } },
      undefined,
      { type: 'ALERT_RECOVERY', muted: true, basis: { resultId: 'result 3' } },
    ])
  })

  it('alert on a failure that lasts when they are unmuted', () => {
    const decisions = fold([result('fail', 1), result('fail', 2)], (index) => (index === 0 ? muted : policyOf()))
    expect(decisions[1]?.alert).toMatchObject({ type: 'ALERT_FAILURE_REMAIN', muted: false })
  })

  it('do not send the recovery from a failure that was not notified', () => {
    const decisions = fold([result('fail', 1), result('pass', 2)], (index) => (index === 0 ? muted : policyOf()))
    expect(decisions[1]?.alert).toMatchObject({ type: 'ALERT_RECOVERY', muted: true })
  })

  it('record a recovery that came late with the next pass', () => {
    const decisions = fold([result('fail', 1), result('pass', 2, { late: true }), result('pass', 20)], muted)
    expect(decisions[2]?.alert).toMatchObject({ type: 'ALERT_RECOVERY', muted: true })
  })
})

describe('a trouble that lasts', () => {
  const lastingOf = (decisions: readonly Decision[]) => decisions.map(({ lasting }) => lasting?.resultId)

  it('is shown by each result after the one that was told, and by none once it is over', () => {
    const steps = [result('fail', 1), result('fail', 2), result('unknown', 3), result('fail', 4), result('pass', 5)]
    const decisions = fold([...steps, result('pass', 6)])
    expect(lastingOf(decisions)).toEqual([undefined, 'result 2', undefined, 'result 4', undefined, undefined])
    expect(decisions.map(({ basis }) => basis?.resultId)).toEqual([
      'result 1',
      'result 2',
      undefined,
      'result 4',
      'result 5',
      'result 6',
    ])
  })

  it('is not while nobody was told of it, and with a late result says nothing about now', () => {
    const steps = [result('fail', 1), result('fail', 2), result('fail', 3), result('fail', 4, { late: true })]
    expect(lastingOf(fold([...steps, result('fail', 5)], afterRuns(3)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'result 5',
    ])
  })

  it('is told to no further channel while the check is muted', () => {
    const steps = [result('degraded', 1), result('degraded', 2), result('degraded', 3)]
    const decisions = fold(steps, (index) => policyOf({}, index === 1))
    expect(lastingOf(decisions)).toEqual([undefined, undefined, 'result 3'])
  })
})

describe('the status of a check', () => {
  it('says since when, why and where', () => {
    const decisions = fold([
      result('pass', 1),
      result('fail', 2, { location: 'eu-west-1' }),
      result('fail', 3, { location: 'us-east-1' }),
    ])
    expect(decisions[2]?.status).toEqual({
      state: 'failing',
      stateSince: start + 2 * minute,
      hasFailures: true,
      hasErrors: false,
      isDegraded: false,
      failingLocations: ['eu-west-1', 'us-east-1'],
      cause: 'fail at 3',
    })
  })

  it('is clean after a pass', () => {
    expect(fold([result('fail', 1), result('pass', 2)])[1]?.status).toEqual({
      state: 'passing',
      stateSince: start + 2 * minute,
      hasFailures: false,
      hasErrors: false,
      isDegraded: false,
      failingLocations: [],
      cause: null,
    })
  })
})

describe('a stored state', () => {
  it('of a new check is empty', () => {
    expect(readAlertState({})).toEqual(initialState())
    expect(readAlertState(null)).toEqual(initialState())
  })
})
