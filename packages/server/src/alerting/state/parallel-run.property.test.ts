import { completeAlertSettings, type AlertSettings } from '@vedette/wire'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decidedResult } from '../../../test-support/decided-result.ts'
import { initialState, readAlertState, type AlertState } from './alert-state.ts'
import { nextState, type DecidedResult, type Decision } from './next-state.ts'

/**
 * Parallel checks against an oracle that knows only the newest result of every location, and neither runs nor the state
 * machine. Every location answers at a pace of its own, as retries and overlaps make it.
 */

const minute = 60_000
type Outcome = 'pass' | 'degraded' | 'fail' | 'unknown'

interface Step {
  location: number
  outcome: Outcome
  /** Minutes after the result before, of any location. */
  after: number
}

const outcome = fc.constantFrom<Outcome>('pass', 'pass', 'fail', 'fail', 'degraded', 'unknown')
const scene = fc.record({
  locations: fc.integer({ min: 1, max: 4 }),
  threshold: fc.constantFrom(undefined, 10, 50, 70, 100),
  runs: fc.integer({ min: 1, max: 3 }),
  minutes: fc.constantFrom(undefined, 5, 10),
  steps: fc.array(fc.record({ location: fc.nat({ max: 3 }), outcome, after: fc.constantFrom(0, 0, 1, 2) }), {
    maxLength: 40,
  }),
  /** Minutes between two results of each location at the end. */
  paces: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 4, maxLength: 4 }),
  /** How many locations fail at the end, and which are lost. */
  failing: fc.integer({ min: 1, max: 4 }),
  lost: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
})
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never

const nameOf = (location: number): string => `location-${location}`

function settingsOf({ threshold, runs, minutes }: Scene): AlertSettings {
  return completeAlertSettings({
    escalationType: minutes === undefined ? 'RUN_BASED' : 'TIME_BASED',
    runBasedEscalation: { failedRunThreshold: runs },
    ...(minutes !== undefined && { timeBasedEscalation: { minutesFailingThreshold: minutes } }),
    ...(threshold !== undefined && { parallelRunFailureThreshold: { enabled: true, percentage: threshold } }),
  })
}

const resultOf = ({ location, outcome: found }: Step, dueAt: number, count: number): DecidedResult =>
  decidedResult(found, dueAt, {
    resultId: `${nameOf(location)} ${dueAt}`,
    location: nameOf(location),
    parallel: { expected: Array.from({ length: count }, (_, n) => nameOf(n)), lapseMs: 600 * minute },
  })

interface Told {
  result: DecidedResult
  decision: Decision
}

class Story {
  readonly told: Told[] = []
  #state: AlertState = initialState()
  #at = 1000 * minute
  readonly #scene: Scene
  readonly #settings: AlertSettings
  readonly #last = new Map<number, number>()

  constructor(of: Scene) {
    this.#scene = of
    this.#settings = settingsOf(of)
    for (const step of of.steps) this.tell(step)
  }

  tell(step: Step): void {
    const location = step.location % this.#scene.locations
    this.#at += step.after * minute
    // A location reports a slot once.
    if (this.#last.get(location) === this.#at) this.#at += minute
    this.#last.set(location, this.#at)
    const result = resultOf({ ...step, location }, this.#at, this.#scene.locations)
    const decision = nextState(this.#state, result, { settings: this.#settings, muted: false }, this.#at)
    this.#state = readAlertState(JSON.parse(JSON.stringify(decision.state)))
    this.told.push({ result, decision })
  }

  /** Lets every location report at its own pace for some minutes. */
  go(minutes: number, outcomeOf: (location: number) => Outcome): void {
    for (let passed = 1; passed <= minutes; passed++) {
      let after = 1
      for (let location = 0; location < this.#scene.locations; location++) {
        if (passed % (this.#scene.paces[location] ?? 1) !== 0) continue
        this.tell({ location, outcome: outcomeOf(location), after })
        after = 0
      }
      this.#at += after * minute
    }
  }

  get alerts(): string[] {
    return this.told.flatMap(({ decision }) => decision.alert?.type ?? [])
  }
}

const ofFailure = new Set(['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])
const ofRecovery = new Set(['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'])

/** The newest result of every location, those that are not known left out. */
function newestOf(told: readonly Told[]): DecidedResult[] {
  const newest = new Map(told.map(({ result }) => [result.location, result]))
  return [...newest.values()].filter((result) => result.outcome !== 'unknown')
}

const isFailing = ({ outcome: found }: DecidedResult): boolean => found === 'fail'

function isDown(told: readonly Told[], { threshold, locations }: Scene): boolean {
  const newest = newestOf(told)
  const failing = newest.filter(isFailing).length
  if (threshold === undefined || locations < 2) return failing > 0
  return failing > 0 && failing * 100 >= threshold * newest.length
}

const holds = (check: (scene: Scene) => void, numRuns = 250) => fc.assert(fc.property(scene, check), { numRuns })

it('pages only while enough of the newest results fail, for a result that is one of them', () => {
  holds((of) => {
    const { told } = new Story(of)
    for (const [index, { decision }] of told.entries()) {
      if (!ofFailure.has(decision.alert?.type ?? '')) continue
      const known = told.slice(0, index + 1)
      expect(isDown(known, of)).toBe(true)
      const basis = newestOf(known).find(({ resultId }) => resultId === decision.alert?.basis.resultId)
      expect(basis?.outcome).toBe('fail')
    }
  })
})

it('recovers only after a trouble that was notified, for a pass, and never while enough of the newest results fail', () => {
  holds((of) => {
    const { told } = new Story(of)
    let open = false
    for (const [index, { decision }] of told.entries()) {
      const type = decision.alert?.type
      if (type === undefined) continue
      if (ofRecovery.has(type)) {
        const known = told.slice(0, index + 1)
        expect(open).toBe(true)
        expect(isDown(known, of)).toBe(false)
        const basis = newestOf(known).find(({ resultId }) => resultId === decision.alert?.basis.resultId)
        expect(basis?.outcome).toBe('pass')
      }
      open = !ofRecovery.has(type)
    }
  })
})

it('never sends the same alert twice in a row', () => {
  holds((of) => {
    const { alerts } = new Story(of)
    for (const [index, alert] of alerts.entries()) expect(alert).not.toBe(alerts[index - 1])
  })
})

/** Long enough for every location to report once more than the threshold asks, and to be awaited once. */
const lastingMinutes = ({ runs, minutes, paces, locations }: Scene): number =>
  Math.max(...paces.slice(0, locations)) * (runs + 2) + (minutes ?? 0)

it('pages every outage that lasts, whatever the pace of its locations and whoever is lost', () => {
  holds((of) => {
    const story = new Story(of)
    const isLost = (location: number) => location >= of.failing && of.lost[location] === true
    story.go(lastingMinutes(of), (location) => {
      if (location < of.failing) return 'fail'
      return isLost(location) ? 'unknown' : 'pass'
    })
    expect(ofFailure.has(story.alerts.at(-1) ?? '')).toBe(isDown(story.told, of))
  })
})

it('ends every notified trouble with one recovery when all locations that are known pass', () => {
  holds((of) => {
    const story = new Story(of)
    const before = story.alerts
    const isOpen = before.length > 0 && !ofRecovery.has(before.at(-1) ?? '')
    const isLost = (location: number) => location > 0 && of.lost[location] === true
    story.go(2 * Math.max(...of.paces), (location) => (isLost(location) ? 'unknown' : 'pass'))
    const after = story.alerts.slice(before.length)
    expect(after.filter((alert) => ofRecovery.has(alert))).toHaveLength(isOpen ? 1 : after.length > 0 ? 1 : 0)
    expect(after.length === 0 || ofRecovery.has(after.at(-1) ?? '')).toBe(true)
    expect(story.told.at(-1)?.decision.state.condition).toBe('passing')
  })
})
