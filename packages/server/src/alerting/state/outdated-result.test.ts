import { completeAlertSettings } from '@vedette/wire'
import { expect, it } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult } from './next-state.ts'

const minute = 60_000
const policy = { settings: completeAlertSettings({}), muted: false }

const result = (slot: number, outcome: DecidedResult['outcome'], more: Partial<DecidedResult> = {}): DecidedResult =>
  decidedResult(outcome, slot * minute, { cause: outcome === 'pass' ? null : outcome, ...more })
const after = (...results: DecidedResult[]): AlertState =>
  results.reduce((state, one) => nextState(state, one, policy, one.dueAt).state, initialState())

it.each([
  ['a loss older than the newest run', [result(5, 'pass')], result(4, 'unknown')],
  ['a loss of the newest run, which is known', [result(5, 'pass')], result(5, 'unknown')],
  ['a loss older than another loss', [result(5, 'unknown')], result(4, 'unknown')],
])('%s changes nothing', (_, earlier, late) => {
  expect(nextState(after(...earlier), late, policy, late.dueAt)).toMatchObject({ status: undefined, alert: undefined })
})

it('a newer loss is shown, and changes neither state nor cause', () => {
  const { status } = nextState(after(result(5, 'fail')), result(6, 'unknown'), policy, 6 * minute)
  expect(status).toMatchObject({ state: 'failing', hasErrors: true, hasFailures: true, cause: undefined })
})

it('the end of degradation at one location keeps no cause', () => {
  const degraded = result(1, 'pass', { degraded: true, cause: 'slow' })
  expect(nextState(initialState(), degraded, policy, minute).status).toMatchObject({ state: 'degraded', cause: 'slow' })
  expect(nextState(after(degraded), result(2, 'pass'), policy, 2 * minute).status).toMatchObject({ cause: null })
})

it('a parallel check shows a location that is not known until it is', () => {
  const parallel = { expected: ['eu-west-1', 'us-east-1'], lapseMs: 60 * minute }
  const lost = after(result(1, 'unknown', { parallel }))
  const other = nextState(lost, result(1, 'pass', { parallel, location: 'us-east-1' }), policy, minute)
  expect(other.status?.hasErrors).toBe(true)
  const known = nextState(other.state, result(2, 'pass', { parallel }), policy, 2 * minute)
  expect(known.status?.hasErrors).toBe(false)
})
