import { dueAt, slotAtOrAfter, slotAtOrBefore } from '@vedette/wire'
import type { Simulation } from '../simulate.ts'
import { agentAt, at, checkOf, down, scriptOf, type Scenario } from './scenario.ts'
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
