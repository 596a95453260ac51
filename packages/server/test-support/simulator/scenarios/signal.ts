import type { Simulation } from '../simulate.ts'
import { agentAt, at, checkOf, down, minuteOf, scriptOf, type Scenario } from './scenario.ts'

const server = 'a'
const agent = 'agent of eu-west-1'

/** Types of the messages that arrived between these minutes, in their order. */
const toldWithin = ({ chronicle }: Simulation, fromMin: number, toMin: number): string[] =>
  chronicle.inbox
    .filter(({ at: time = 0 }) => fromMin <= minuteOf(time) && minuteOf(time) <= toMin)
    .map(({ alertType, system }) => (system === undefined ? alertType : `${alertType} ${system}`))

const expectTold = (told: readonly string[], expected: readonly string[]): string[] =>
  told.join() === expected.join() ? [] : [`told ${told.join() || 'nothing'}, not ${expected.join() || 'nothing'}`]

/**
 * What the installation says when it cannot see or tell. Its built-in agent is replaced by the server that started it,
 * which `local-agent.test.ts` holds; here nobody replaces an agent.
 */
export const ofSignal: readonly Scenario[] = [
  {
    name: 'a world in which nothing is wrong hears nothing',
    script: scriptOf({ minutes: 12, checks: [checkOf(1), checkOf(2, { frequency: 1 })] }),
    also: (simulation) => expectTold(toldWithin(simulation, 0, 99), []),
  },
  {
    name: 'it is told that the only agent was stopped, and that it is back',
    script: scriptOf({
      minutes: 14,
      checks: [checkOf(1, {}, [down(11, 99)])],
      blows: [at(2, { kind: 'pause agent', agent, forMs: 4 * 60_000 })],
    }),
    also: (simulation) => [
      ...expectTold(toldWithin(simulation, 0, 5), ['ALERT_SYSTEM No agent works']),
      ...expectTold(toldWithin(simulation, 5, 14).toSorted(), [
        'ALERT_FAILURE',
        'ALERT_SYSTEM_RECOVERY An agent works again',
      ]),
    ],
  },
  {
    name: 'it is told that one of two locations has no agent, once, although the server is killed meanwhile',
    script: scriptOf({
      minutes: 18,
      agents: [agentAt('eu-west-1'), agentAt('us-east-1')],
      checks: [checkOf(1, { locations: ['eu-west-1', 'us-east-1'] })],
      blows: [
        at(1, { kind: 'cut off', agent, forMs: 9 * 60_000, silently: true }),
        at(6, { kind: 'kill', server, afterCalls: 0, forMs: 2000 }),
      ],
    }),
    also: (simulation) => {
      const told = toldWithin(simulation, 0, 18).map((sentence) => sentence.split(' ')[0] ?? '')
      return expectTold(told, ['ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY'])
    },
  },
  {
    name: 'no location is said to be served again while no agent at all is connected',
    script: scriptOf({
      minutes: 13,
      agents: [agentAt('eu-west-1'), agentAt('us-east-1')],
      checks: [checkOf(1, { locations: ['eu-west-1', 'us-east-1'] })],
      blows: [
        at(1, { kind: 'cut off', agent, forMs: 20 * 60_000, silently: true }),
        at(4.5, { kind: 'cut off', agent: 'agent of us-east-1', forMs: 20 * 60_000, silently: true }),
      ],
    }),
  },
  {
    name: 'it is told that nothing can be stored while that is so',
    script: scriptOf({
      minutes: 13,
      checks: [checkOf(1, {}, [down(3, 99)])],
      blows: [at(2, { kind: 'refuse commits', forMs: 4 * 60_000 })],
    }),
    also: (simulation) => {
      const told = toldWithin(simulation, 2, 6)
      // On PostgreSQL the lease cannot be stored either.
      const titles = ['Results cannot be stored', 'No server schedules: its lease cannot be stored']
      const isTold = told.some((one) => titles.some((title) => one === `ALERT_SYSTEM ${title}`))
      return isTold ? [] : [`while nothing could be stored, told ${told.join() || 'nothing'}`]
    },
  },
  {
    name: 'it is told that runs of a check never end',
    script: scriptOf({
      minutes: 14,
      restMs: 60_000,
      checks: [checkOf(1)],
      blows: [at(1, { kind: 'wedge', agent, forMs: 12 * 60_000 })],
    }),
    also: (simulation) => expectTold(toldWithin(simulation, 0, 13), ['ALERT_UNKNOWN']),
  },
  {
    name: 'targets are not blamed while the host of the agent has no network',
    script: scriptOf({
      minutes: 9,
      checks: [checkOf(1), checkOf(2, { retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 3 } })],
      blows: [at(2, { kind: 'unplug', agent, forMs: 4 * 60_000 })],
    }),
    // Which errors of a host mean that it has no network is held by `own-network.test.ts` and `dns-control.test.ts`.
    also: (simulation) =>
      expectTold(toldWithin(simulation, 0, 9).toSorted(), [
        'ALERT_UNKNOWN',
        'ALERT_UNKNOWN',
        'ALERT_UNKNOWN_RECOVERY',
        'ALERT_UNKNOWN_RECOVERY',
      ]),
  },
]
