import { completeAlertSettings, type AlertType } from '@vedette/wire'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState } from './alert-state.ts'
import { nextState, type DecidedResult } from './next-state.ts'

const step = fc.record({
  outcome: fc.constantFrom('pass' as const, 'fail' as const, 'unknown' as const),
  degraded: fc.boolean(),
  late: fc.boolean(),
  muted: fc.constantFrom(false, false, false, true),
  heldBy: fc.constantFrom(undefined, undefined, 'parent'),
  /** Minutes between the due times of this result and the one before. */
  shift: fc.integer({ min: -2, max: 3 }),
})
const threshold = fc.integer({ min: 1, max: 5 })

interface Told {
  result: DecidedResult
  alert: AlertType | undefined
  condition: string
  newest: boolean
}

function tellingOf(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[], runs: number): Told[] {
  const settings = completeAlertSettings({ runBasedEscalation: { failedRunThreshold: runs } })
  let state = initialState()
  let dueAt = 1_000_000_000
  return steps.map(({ outcome, degraded, late, muted, heldBy, shift }) => {
    dueAt += shift * 60_000
    const newest = dueAt > state.dueAt && outcome !== 'unknown'
    const result = decidedResult(outcome, dueAt, { degraded, late })
    const decision = nextState(state, result, { settings, muted, heldBy }, dueAt)
    state = decision.state
    const alert = decision.alert && !decision.alert.muted ? decision.alert.type : undefined
    return { result, alert, condition: state.condition, newest }
  })
}

const telling = (check: (notified: Told[], runs: number) => void) =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), threshold, (steps, runs) => check(tellingOf(steps, runs), runs)),
    { numRuns: 500 },
  )

const ofFailure = new Set<string>(['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])
const ofRecovery = new Set<string>(['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'])

it('never pages without a newest failing result that is on time', () => {
  telling((notified) => {
    for (const { alert, result, newest } of notified) {
      if (!alert || !ofFailure.has(alert)) continue
      expect(result).toMatchObject({ outcome: 'fail', late: false })
      expect(newest).toBe(true)
    }
  })
})

it('sends a recovery only after a trouble that was notified, and only with a pass', () => {
  telling((notified) => {
    let open = false
    for (const { alert, result } of notified) {
      if (!alert) continue
      if (ofRecovery.has(alert)) {
        expect(open).toBe(true)
        expect(result.outcome).toBe('pass')
      }
      open = !ofRecovery.has(alert)
    }
  })
})

it('never sends the same alert twice in a row', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), threshold, (steps, runs) => {
      const timely = steps.map((item) => ({ ...item, late: false, muted: false }))
      const alerts = tellingOf(timely, runs).flatMap(({ alert }) => alert ?? [])
      for (const [index, alert] of alerts.entries()) if (index > 0) expect(alert).not.toBe(alerts[index - 1])
    }),
    { numRuns: 500 },
  )
})

it('alerts on every failure that lasted its threshold on time and unmuted', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), threshold, (steps, runs) => {
      const lasting = Array.from({ length: runs }, () => ({
        outcome: 'fail' as const,
        degraded: false,
        late: false,
        muted: false,
        heldBy: undefined,
        shift: 60,
      }))
      const notified = tellingOf([...steps, ...lasting], runs)
      const spoken = notified.flatMap(({ alert }) => alert ?? [])
      expect(ofFailure.has(spoken.at(-1) ?? '')).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('ends every notified trouble with one recovery at the first pass that is on time and unmuted', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), threshold, (steps, runs) => {
      const pass = {
        outcome: 'pass' as const,
        degraded: false,
        late: false,
        muted: false,
        heldBy: undefined,
        shift: 60,
      }
      const unmuted = steps.map((item) => ({ ...item, muted: false }))
      const notified = tellingOf([...unmuted, pass, pass], runs)
      const before = notified.slice(0, -2).flatMap(({ alert }) => alert ?? [])
      const isOpen = before.length > 0 && !ofRecovery.has(before.at(-1) ?? '')
      const [first, second] = notified.slice(-2).map(({ alert }) => ofRecovery.has(alert ?? ''))
      expect(first).toBe(isOpen)
      expect(second).toBe(false)
    }),
    { numRuns: 500 },
  )
})
