import { completeAlertSettings } from '@vedette/wire'
import { describe, expect, it } from 'vitest'
import { decidedResult, type Word } from '../../../test-support/decided-result.ts'
import { initialState, readAlertState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult, type Decision } from './next-state.ts'

const minute = 60_000
const locations = ['eu-west-1', 'us-east-1', 'ap-south-1', 'sa-east-1']

const at = (expected: readonly string[]) => ({ expected, lapseMs: 60 * minute })

const word = (slot: number, location: number, outcome: Word, more: Partial<DecidedResult> = {}): DecidedResult =>
  decidedResult(outcome, slot * minute, {
    resultId: `${slot} in ${locations[location]}`,
    location: locations[location] ?? '',
    cause: outcome === 'pass' ? null : `${outcome} in ${locations[location]}`,
    responseMs: 400,
    startedAt: 1,
    finishedAt: 2,
    parallel: at(locations),
    ...more,
  })
const everywhere = (slot: number, outcome: Word) => locations.map((_, location) => word(slot, location, outcome))

function fold(results: readonly DecidedResult[], percentage?: 10 | 50 | 100, threshold = 1) {
  return foldFrom(initialState(), results, percentage, threshold)
}

/** Goes on after decisions. */
const continued = (
  before: readonly Decision[],
  results: readonly DecidedResult[],
  threshold = 1,
  percentage?: 10 | 50 | 100,
) => foldFrom(before.at(-1)?.state ?? initialState(), results, percentage, threshold)

function foldFrom(
  from: AlertState,
  results: readonly DecidedResult[],
  percentage: 10 | 50 | 100 | undefined,
  threshold: number,
) {
  const settings = completeAlertSettings({
    runBasedEscalation: { failedRunThreshold: threshold },
    ...(percentage && { parallelRunFailureThreshold: { enabled: true, percentage } }),
  })
  let state = from
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

  it('recovers with the last location, whichever run the others are in by then', () => {
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

const two = { parallel: at(locations.slice(0, 2)) }
const three = { parallel: at(locations.slice(0, 3)) }

describe('locations that answer on different slots', () => {
  it('fail together, although their results never share a slot', () => {
    const hour = Array.from({ length: 20 }, (_, n) => [word(3 * n, 0, 'fail', two), word(3 * n + 1, 1, 'fail', two)])
    expect(alertsOf(fold(hour.flat(), 100))).toEqual(['ALERT_FAILURE'])
  })

  it('count one run for one result of each', () => {
    const results = [0, 3, 6].flatMap((slot) => [word(slot + 1, 0, 'fail', two), word(slot + 2, 1, 'fail', two)])
    expect(fold(results, 100, 3).map(({ state }) => state.runs)).toEqual([0, 1, 1, 2, 2, 3])
  })

  it('count one run for one result of each when each of them suffices', () => {
    const results = [0, 3].flatMap((slot) => [word(slot + 1, 0, 'fail', two), word(slot + 2, 1, 'fail', two)])
    expect(fold(results, undefined, 5).map(({ state }) => state.runs)).toEqual([1, 1, 2, 2])
  })

  it('are measured in minutes from the run that first failed to the newest result', () => {
    const results = [0, 3, 6].flatMap((slot) => [word(slot + 1, 0, 'fail', two), word(slot + 2, 1, 'fail', two)])
    const last = lastOf(fold(results, 100, 5))
    expect(last?.state).toMatchObject({ since: 2 * minute, dueAt: 8 * minute })
  })

  it('wait for one that is under way until the quickest reports again, and count its newest result then', () => {
    const decisions = fold(
      [word(1, 0, 'pass', two), word(1, 1, 'fail', two), word(2, 0, 'fail', two), word(3, 0, 'fail', two)],
      100,
    )
    expect(decisions.map(({ alert }) => alert?.type)).toEqual([undefined, undefined, undefined, 'ALERT_FAILURE'])
  })

  it('do not page for failures of two runs, one here and one there', () => {
    const decisions = fold(
      [word(1, 0, 'fail', two), word(1, 1, 'pass', two), word(2, 1, 'fail', two), word(2, 0, 'pass', two)],
      100,
    )
    expect(alertsOf(decisions)).toEqual([])
  })

  it('do not count a run again for a failure that no location saw again', () => {
    const decisions = fold(
      [word(1, 0, 'pass', two), word(1, 1, 'fail', two), ...[2, 3, 4, 5].map((slot) => word(slot, 0, 'pass', two))],
      undefined,
      2,
    )
    expect(alertsOf(decisions)).toEqual([])
    expect(lastOf(decisions)?.state).toMatchObject({ condition: 'failing', runs: 1, dueAt: 5 * minute })
    expect(alertsOf([...decisions, ...continued(decisions, [word(6, 1, 'fail', two)], 2)])).toEqual([
      'ALERT_FAILURE_REMAIN',
    ])
  })

  it('do not recover because the one that failed is not known', () => {
    const decisions = fold([word(1, 0, 'pass', two), word(1, 1, 'fail', two), word(2, 1, 'unknown', two)])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
    expect(alertsOf(continued(decisions, [word(2, 0, 'pass', two)]))).toEqual(['ALERT_RECOVERY'])
  })

  it('ease a trouble by the newest results of all', () => {
    const decisions = fold(
      [
        ...[0, 1, 2].map((location) => word(1, location, 'fail', three)),
        word(2, 1, 'pass', three),
        word(3, 2, 'pass', three),
        word(4, 0, 'fail', three),
        word(5, 0, 'fail', three),
      ],
      100,
    )
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(decisions.find(({ alert }) => alert?.type === 'ALERT_RECOVERY')?.alert?.basis.resultId).toBe(
      '3 in ap-south-1',
    )
  })

  it('turn a run that passed without a lost location into a failed one when it reports after all', () => {
    const decisions = fold([word(1, 0, 'pass', two), word(1, 1, 'unknown', two), word(1, 1, 'fail', two)])
    expect(decisions.map(({ status }) => status?.state)).toEqual(['unknown', 'passing', 'failing'])
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
  })
})

describe('results of one location', () => {
  it('count once', () => {
    const [, second] = fold([word(1, 0, 'fail'), word(1, 0, 'fail')])
    expect(second).toMatchObject({ status: undefined, alert: undefined })
  })

  it('change nothing when a newer one was there before', () => {
    const decisions = fold([word(2, 0, 'pass'), word(1, 0, 'fail'), word(1, 0, 'unknown')])
    expect(decisions.slice(1)).toMatchObject([{ status: undefined }, { status: undefined }])
  })

  it('that was lost yield to the real one of the same slot, and not to an older one', () => {
    const real = fold([word(3, 0, 'unknown', two), word(3, 0, 'fail', two)])
    expect(lastOf(real)?.status).toMatchObject({ state: 'failing', hasErrors: false })
    const older = fold([word(3, 0, 'unknown', two), word(2, 0, 'fail', two), word(3, 1, 'pass', two)])
    expect(lastOf(older)?.status).toMatchObject({ state: 'passing', hasErrors: true, failingLocations: [] })
  })

  it('that are older than one that was lost leave it not known', () => {
    const decisions = fold([word(3, 0, 'unknown', two), word(2, 0, 'unknown', two)])
    expect(lastOf(decisions)?.status).toBeUndefined()
  })

  it('page when one in time is enough, although another came late', () => {
    const decisions = fold([word(1, 0, 'fail', { ...two, late: true }), word(1, 1, 'fail', two)], 100)
    expect(lastOf(decisions)?.alert).toMatchObject({ type: 'ALERT_FAILURE', basis: { location: 'us-east-1' } })
    const swapped = fold([word(1, 0, 'fail', two), word(1, 1, 'fail', { ...two, late: true })], 100)
    expect(lastOf(swapped)?.alert).toMatchObject({ type: 'ALERT_FAILURE', basis: { location: 'eu-west-1' } })
  })

  it('page nobody when all that failed came late, and the next run does', () => {
    const late = { ...two, late: true }
    const decisions = fold([word(1, 0, 'fail', late), word(1, 1, 'pass', two), word(2, 0, 'fail', two)])
    expect(decisions.map(({ alert }) => alert?.type)).toEqual([undefined, undefined, 'ALERT_FAILURE_REMAIN'])
  })
})

describe('a location that is silent', () => {
  const lapsing = { parallel: { expected: locations.slice(0, 2), lapseMs: 10 * minute } }
  const from = (first: number, last: number, outcome: Word) =>
    Array.from({ length: last - first + 1 }, (_, n) => word(first + n, 0, outcome, lapsing))

  it('holds back no page for longer than its runs can take', () => {
    const results = [word(1, 0, 'pass', lapsing), word(1, 1, 'pass', lapsing), ...from(2, 12, 'fail')]
    const alerts = fold(results, 100).map(({ alert }) => alert?.type)
    expect(alerts.indexOf('ALERT_FAILURE')).toBe(results.length - 1)
  })

  it('holds back no recovery for longer than its runs can take', () => {
    const results = [word(1, 0, 'pass', lapsing), word(1, 1, 'fail', lapsing), ...from(2, 12, 'pass')]
    const alerts = fold(results).map(({ alert }) => alert?.type)
    expect(alerts.indexOf('ALERT_RECOVERY')).toBe(results.length - 1)
  })

  it('is awaited when nothing was watched for long', () => {
    const decisions = fold(
      [word(1, 0, 'pass', lapsing), word(1, 1, 'pass', lapsing), word(60, 0, 'fail', lapsing)],
      100,
    )
    expect(alertsOf(decisions)).toEqual([])
    expect(alertsOf(continued(decisions, [word(60, 1, 'fail', lapsing)], 1, 100))).toEqual(['ALERT_FAILURE'])
  })

  it('from the start is awaited for as long, and no longer', () => {
    const decisions = fold(from(1, 12, 'pass'))
    expect(decisions.map(({ status }) => status?.state).indexOf('passing')).toBe(11)
    expect(alertsOf(fold(from(1, 11, 'fail'), 100))).toEqual([])
    expect(alertsOf(fold(from(1, 12, 'fail'), 100))).toEqual(['ALERT_FAILURE'])
  })

  it('and reports what it saw long ago decides nothing', () => {
    const results = [...from(1, 20, 'pass'), word(2, 1, 'fail', { ...lapsing, late: true })]
    expect(lastOf(fold(results))?.status).toMatchObject({ state: 'passing', failingLocations: ['us-east-1'] })
  })
})

describe('locations of a check that change', () => {
  it('leave with their results', () => {
    const before = fold([word(1, 0, 'pass', two), word(1, 1, 'fail', two)])
    const alone = { parallel: at(['eu-west-1']) }
    const after = continued(before, [word(2, 1, 'fail', alone), word(2, 0, 'pass', alone)])
    expect(after[0]).toMatchObject({ status: undefined, alert: undefined })
    expect(alertsOf(after)).toEqual(['ALERT_RECOVERY'])
    expect(Object.keys(after[1]?.state.locations ?? {})).toEqual(['eu-west-1'])
  })

  it('are awaited when they are new', () => {
    const before = fold([word(1, 0, 'fail', two), word(1, 1, 'fail', two)])
    const after = continued(before, [word(2, 0, 'pass', three), word(2, 1, 'pass', three), word(2, 2, 'pass', three)])
    expect(after.map(({ alert }) => alert?.type)).toEqual([undefined, undefined, 'ALERT_RECOVERY'])
  })

  it('begin with what was known when the check starts to run in parallel', () => {
    const before = fold([word(1, 0, 'fail', { parallel: undefined })])
    const after = continued(before, [word(2, 1, 'pass', two), word(3, 1, 'pass', two)])
    expect(lastOf(after)?.state.condition).toBe('failing')
    expect(alertsOf(continued(after, [word(3, 0, 'pass', two)]))).toEqual(['ALERT_RECOVERY'])
  })
})

describe('a state that version 2 stored', () => {
  const older = {
    version: 2,
    condition: 'passing',
    dueAt: minute,
    seenAt: 2 * minute,
    since: minute,
    runs: 7,
    notified: 'nothing',
    recorded: 'nothing',
    notifiedAt: null,
    pending: false,
    pendingRecovery: null,
    locations: {
      'eu-west-1': { dueAt: 2 * minute, condition: 'failing' },
      'us-east-1': { dueAt: minute, condition: 'passing' },
      'ap-south-1': { dueAt: minute, condition: 'unknown' },
    },
    open: [
      {
        dueAt: 2 * minute,
        late: false,
        results: { 'eu-west-1': 'failing' },
        triggeringResults: { failing: { resultId: 'first', location: 'eu-west-1' } },
      },
    ],
  }

  it('keeps what every location reported, and the run that was open', () => {
    const state = readAlertState(older)
    expect(state).not.toHaveProperty('open')
    expect(state).toMatchObject({ version: 3, condition: 'passing', runs: 7, since: minute })
    expect(state.locations).toEqual({
      'eu-west-1': {
        dueAt: 2 * minute,
        condition: 'failing',
        run: 1,
        late: false,
        triggeringResult: { resultId: 'first', location: 'eu-west-1' },
      },
      'us-east-1': { dueAt: minute, condition: 'passing', run: 0, late: false },
      'ap-south-1': { dueAt: 0, condition: 'unknown', lostAt: minute },
    })
  })

  it('fails with the result that the open run lacked', () => {
    const settings = completeAlertSettings({ parallelRunFailureThreshold: { enabled: true, percentage: 100 } })
    const result = word(2, 1, 'fail', three)
    const { alert } = nextState(readAlertState(older), result, { settings, muted: false }, result.dueAt)
    expect(alert?.type).toBe('ALERT_FAILURE')
  })
})

describe('a share of locations that must fail', () => {
  it('is taken of the locations that may still know', () => {
    const decisions = fold([word(1, 0, 'unknown'), word(1, 1, 'unknown'), word(1, 2, 'fail')], 50)
    expect(alertsOf(decisions)).toEqual(['ALERT_FAILURE'])
  })

  it('applies to two locations, and to none when it is switched off', () => {
    expect(alertsOf(fold([word(1, 0, 'fail', two), word(1, 1, 'pass', two)], 100))).toEqual([])
    const many = { parallel: at([...locations, ...Array.from({ length: 8 }, (_, n) => `other-${n}`)]) }
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
    const alone = { parallel: at(['eu-west-1']) }
    expect(alertsOf(fold([word(1, 0, 'fail', alone)], 100))).toEqual(['ALERT_FAILURE'])
  })
})

describe('the memory of a check', () => {
  it('stays small, however long a location is silent', () => {
    const decisions = fold(Array.from({ length: 500 }, (_, slot) => word(slot + 1, 0, 'pass')))
    expect(JSON.stringify(lastOf(decisions)?.state).length).toBeLessThan(2000)
  })

  it('forgets the locations of parallel runs with the first pass of another kind', () => {
    const before = fold([...everywhere(1, 'fail'), word(2, 0, 'pass')])
    const [after] = continued(before, [word(3, 0, 'pass', { parallel: undefined })])
    expect(after?.state).toMatchObject({ locations: {}, condition: 'passing' })
  })
})
