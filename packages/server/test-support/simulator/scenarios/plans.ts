import { dueAt, slotAtOrAfter, slotAtOrBefore } from '@vedette/wire'
import type { Simulation } from '../simulate.ts'
import type { PastResult } from '../history.ts'
import type { Trouble } from '../target.ts'
import { agentAt, at, checkOf, down, minuteOf, scriptOf, type Scenario } from './scenario.ts'
import { startOfTime } from '../world/world.ts'

const minute = 60_000
const agent = 'agent of eu-west-1'
const planKeptMs = 24 * 60 * minute
/** What is due while nobody knows yet that the server is away may be left out, but for the newest slot of a check. */
const unnoticedMs = 20_000

/** Slots within these minutes, apart from the first moments, that have no result or one that is not known. */
function missing({ chronicle, history }: Simulation, fromMin: number, toMin: number): string[] {
  const known = new Set(
    history.results
      .filter(({ outcome }) => outcome !== 'unknown')
      .map(({ checkId, dueAt: due }) => `${checkId} ${due}`),
  )
  return chronicle.checks.flatMap(({ id, frequency, frequencyOffset }) => {
    const schedule = { checkId: id, frequency, frequencyOffset }
    const first = slotAtOrAfter(schedule, startOfTime + fromMin * minute + unnoticedMs)
    const last = slotAtOrBefore(schedule, startOfTime + toMin * minute)
    const dues = Array.from({ length: last - first + 1 }, (_, nth) => dueAt(schedule, first + nth))
    return dues
      .filter((due) => !known.has(`${id} ${due}`))
      .map((due) => `the slot at ${new Date(due).toISOString()} of ${id} was not run`)
  })
}

/** Alerts about the target itself that were told, by check. */
const told = ({ chronicle }: Simulation, checkId: string | undefined) =>
  chronicle.inbox.filter((one) => one.checkId === checkId).map(({ alertType }) => alertType)

function toldAs(simulation: Simulation, expected: readonly string[][]): string[] {
  return expected.flatMap((types, nth) => {
    const seen = told(simulation, simulation.chronicle.checks[nth]?.id).join()
    return seen === types.join() ? [] : [`check ${nth + 1} told "${seen}" instead of "${types.join()}"`]
  })
}

const retried = { frequency: 1, retryStrategy: { type: 'FIXED', baseBackoffSeconds: 20, maxRetries: 2 } }

/** Its target is down for the first attempt of these runs of a check each minute, and up for the second. */
function blips(nth: number, fromMin: number, toMin: number): Trouble[] {
  const schedule = { checkId: checkOf(nth).id, frequency: 1, frequencyOffset: 20 }
  const first = slotAtOrAfter(schedule, startOfTime + fromMin * minute)
  return Array.from({ length: toMin - fromMin }, (_, at_) => {
    const due = minuteOf(dueAt(schedule, first + at_))
    return down(due - 0.1, due + 0.2)
  })
}

/** How the runs of a check ended: the outcome, and the attempts before. */
function endsOf({ chronicle, history }: Simulation, nth: number, fromMin: number, toMin: number): string[] {
  const isMeant = ({ checkId, dueAt: due, resultType }: PastResult) =>
    resultType === 'FINAL' &&
    checkId === chronicle.checks[nth - 1]?.id &&
    minuteOf(due) > fromMin &&
    minuteOf(due) < toMin
  return history.results.filter(isMeant).map(({ outcome, attempts }) => `${outcome} ${attempts}`)
}

/** Agents that go on by the plan of their location. */
export const ofPlans: readonly Scenario[] = [
  {
    name: 'an agent keeps the schedule while the server is dead for two hours: no slot is lost, and only what lasts pages',
    script: scriptOf({
      minutes: 135,
      restMs: 3 * minute,
      planKeptMs,
      checks: [
        checkOf(1, { frequency: 1 }),
        // It failed and recovered while nobody could be told.
        checkOf(2, { frequency: 1 }, [down(40, 60)]),
        // It still fails when the server is back.
        checkOf(3, { frequency: 2 }, [down(100, 999)]),
      ],
      blows: [at(5, { kind: 'kill', server: 'a', afterCalls: 0, forMs: 120 * minute })],
    }),
    also: (simulation) => [...missing(simulation, 5, 130), ...toldAs(simulation, [[], [], ['ALERT_FAILURE_REMAIN']])],
  },
  {
    name: 'an agent keeps the schedule while its network to the server is silent for an hour',
    script: scriptOf({
      minutes: 75,
      restMs: 3 * minute,
      planKeptMs,
      checks: [checkOf(1, { frequency: 1 }), checkOf(2, { frequency: 1 }, [down(20, 30)])],
      blows: [at(5, { kind: 'cut off', agent, forMs: 60 * minute, silently: true })],
    }),
    also: (simulation) => missing(simulation, 5.5, 74),
  },
  {
    name: 'an agent retries by itself while the server is dead: a run that fails once and passes then has passed',
    script: scriptOf({
      minutes: 40,
      restMs: 3 * minute,
      planKeptMs,
      checks: [checkOf(1, retried, blips(1, 8, 34)), checkOf(2, retried, [down(10.5, 20.5)])],
      blows: [at(5, { kind: 'kill', server: 'a', afterCalls: 0, forMs: 30 * minute })],
    }),
    also: (simulation) => [
      ...missing(simulation, 5, 10),
      ...toldAs(simulation, [[], []]),
      ...endsOf(simulation, 1, 9, 33).filter((end) => end !== 'pass 1'),
      ...endsOf(simulation, 2, 11.5, 19).filter((end) => end !== 'fail 2'),
      ...(endsOf(simulation, 1, 9, 33).length >= 22 ? [] : ['runs are missing']),
    ],
  },
  {
    name: 'two agents of a location divide the slots while the server is away, and none is run by both for good',
    script: scriptOf({
      minutes: 40,
      restMs: 3 * minute,
      planKeptMs,
      agents: [agentAt('eu-west-1'), agentAt('eu-west-1', { name: 'other', aheadMs: 15_000 })],
      checks: [1, 2, 3, 4].map((nth) => checkOf(nth, { frequency: 1 })),
      blows: [at(5, { kind: 'kill', server: 'a', afterCalls: 0, forMs: 30 * minute })],
    }),
    also: (simulation) => missing(simulation, 5, 39),
  },
]
