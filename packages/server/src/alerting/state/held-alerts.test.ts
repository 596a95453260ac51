import { completeAlertSettings, type AlertType } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState, type AlertState } from './alert-state.ts'
import { nextState } from './next-state.ts'
import { release } from './transition.ts'
import { releaseWatch, watchAfter } from './watch.ts'

const minute = 60_000
const start = Date.UTC(2026, 5, 1)

/** `held`: a parent fails while the run is decided. */
type Step = 'pass' | 'degraded' | 'fail' | 'held pass' | 'held degraded' | 'held fail' | 'late fail' | 'muted fail'

interface Seen {
  told: AlertType[]
  recorded: AlertType[]
  heldBy: string | undefined
  state: AlertState
}

function after(steps: readonly Step[], failedRunThreshold = 1): Seen {
  const settings = completeAlertSettings({ runBasedEscalation: { failedRunThreshold } })
  const seen: Seen = { told: [], recorded: [], heldBy: undefined, state: initialState() }
  for (const [slot, step] of steps.entries()) {
    const [how, outcome] = step.includes(' ') ? step.split(' ') : ['', step]
    const result = decidedResult(outcome as 'pass', start + slot * minute, {
      resultId: `result ${slot}`,
      late: how === 'late',
    })
    const policy = { settings, muted: how === 'muted', heldBy: how === 'held' ? 'the parent' : undefined }
    const { alert, state } = nextState(seen.state, result, policy, result.dueAt)
    seen.state = state
    seen.heldBy = state.held?.parentId
    if (alert) (alert.muted ? seen.recorded : seen.told).push(alert.type)
    if (alert)
      expect(alert.heldBy).toBe(how === 'held' && alert.muted && step !== 'held pass' ? 'the parent' : undefined)
  }
  return seen
}

describe('while a parent fails', () => {
  it('the alert that would open a trouble is recorded once and told to nobody', () => {
    const seen = after(['pass', 'held fail', 'held fail', 'held fail'])
    expect(seen).toMatchObject({ told: [], recorded: ['ALERT_FAILURE'], heldBy: 'the parent' })
    expect(seen.state.held?.triggeringResult.resultId).toBe('result 3')
    expect(after(['pass', 'held degraded', 'held fail'])).toMatchObject({
      told: [],
      recorded: ['ALERT_DEGRADED', 'ALERT_DEGRADED_FAILURE'],
    })
  })

  it('nothing is held back before it is due', () => {
    expect(after(['held fail', 'held fail'], 3)).toMatchObject({ recorded: [], heldBy: undefined })
    expect(after(['held fail', 'held fail', 'held fail'], 3).recorded).toEqual(['ALERT_FAILURE_REMAIN'])
  })

  it('a trouble that nobody was notified of ends without a word', () => {
    const seen = after(['held fail', 'held pass', 'pass'])
    expect(seen).toMatchObject({ told: [], recorded: ['ALERT_FAILURE', 'ALERT_RECOVERY'], heldBy: undefined })
  })

  it('a trouble that was notified before goes on as if there were no parent', () => {
    expect(after(['fail', 'held fail', 'held pass']).told).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(after(['degraded', 'held fail', 'held degraded', 'held pass']).told).toEqual([
      'ALERT_DEGRADED',
      'ALERT_DEGRADED_FAILURE',
      'ALERT_FAILURE_DEGRADED',
      'ALERT_DEGRADED_RECOVERY',
    ])
  })
})

describe('when no parent fails any more', () => {
  it('the next bad run alerts, whatever the threshold, and its recovery is told', () => {
    expect(after(['held fail', 'held fail', 'fail', 'fail', 'pass']).told).toEqual([
      'ALERT_FAILURE_REMAIN',
      'ALERT_RECOVERY',
    ])
    expect(after(['degraded', 'held fail', 'fail'], 3)).toMatchObject({
      told: ['ALERT_FAILURE_REMAIN'],
      recorded: ['ALERT_DEGRADED_FAILURE'],
    })
  })

  it('the alert can be released without another run, once', () => {
    const { state } = after(['pass', 'held fail', 'held fail'])
    const released = release(state, start + 5 * minute)
    expect(released).toMatchObject({ type: 'ALERT_FAILURE_REMAIN', triggeringResult: { resultId: 'result 2' } })
    expect(released?.state).toMatchObject({ notified: 'failing', notifiedAt: start + 5 * minute, held: null })
    expect(released && release(released.state, start + 6 * minute)).toBeUndefined()
    expect(release(after(['held fail', 'pass']).state, start)).toBeUndefined()
    expect(release(after(['fail', 'held fail']).state, start)).toBeUndefined()
  })

  it('a late result and a mute open nothing, and the alert stays due', () => {
    expect(after(['held fail', 'late fail'])).toMatchObject({ told: [], heldBy: 'the parent' })
    expect(after(['held fail', 'late fail', 'fail']).told).toEqual(['ALERT_FAILURE_REMAIN'])
    expect(after(['held fail', 'muted fail'])).toMatchObject({ told: [], heldBy: 'the parent' })
    expect(after(['held fail', 'muted fail', 'fail']).told).toEqual(['ALERT_FAILURE_REMAIN'])
    expect(after(['muted fail', 'held fail']).heldBy).toBe('the parent')
  })
})

describe('a check that is not being watched while a parent fails', () => {
  const unknownAt = (slot: number) => decidedResult('unknown', start + slot * minute)
  const held = () =>
    [0, 1, 2, 3].reduce((state, slot) => {
      const { state: next, alert } = watchAfter(state, unknownAt(slot), { quiet: false, heldBy: 'the parent' })
      expect(alert).toBeUndefined()
      return next
    }, initialState())

  it('is told of to nobody, and by the next run that is not known after that', () => {
    expect(held().unwatched).toMatchObject({ heldBy: 'the parent', runs: 4, notified: false })
    const { alert, state } = watchAfter(held(), unknownAt(4), { quiet: false })
    expect(alert?.type).toBe('ALERT_UNKNOWN')
    expect(state.unwatched).not.toHaveProperty('heldBy')
  })

  it('is released without another run, once', () => {
    const released = releaseWatch(held())
    expect(released?.unwatched).toMatchObject({ notified: true, runs: 4 })
    expect(released?.unwatched).not.toHaveProperty('heldBy')
    expect(released && releaseWatch(released.state)).toBeUndefined()
    expect(releaseWatch(initialState())).toBeUndefined()
  })
})
