import type { Simulation } from '../simulate.ts'
import type { CheckPlan } from '../script.ts'
import type { Trouble } from '../target.ts'
import { agentAt, at, checkOf, down, scriptOf, type Scenario } from './scenario.ts'

/** A gateway, and a shop behind it. */
const behind = (ofGateway: Trouble[], ofShop: Trouble[], sent: Record<string, unknown> = {}): CheckPlan[] => [
  checkOf(1, sent, ofGateway),
  { ...checkOf(2, {}, ofShop), parents: [0] },
]

/** What arrived of a check, in short. */
const toldOf = ({ chronicle }: Simulation, nth: number): string =>
  chronicle.inbox
    .filter(({ checkId }) => checkId === chronicle.checks[nth]?.id)
    .map(({ alertType }) => alertType.replace('ALERT_', ''))
    .join()

const tells = (gateway: string, shop: string) => (simulation: Simulation) =>
  [gateway, shop].flatMap((expected, nth) => {
    const told = toldOf(simulation, nth)
    return told === expected ? [] : [`of check ${nth} was told ${told || 'nothing'}, not ${expected || 'nothing'}`]
  })

/** What parents do to the alerts of their children. */
export const ofParents: readonly Scenario[] = [
  {
    name: 'of an outage behind a parent that fails nobody is told, and the parent is',
    script: scriptOf({ minutes: 9, checks: behind([down(2, 6)], [down(2.5, 6)]) }),
    also: tells('FAILURE,RECOVERY', ''),
  },
  {
    name: 'an outage that its parent held back is told when the parent recovers',
    script: scriptOf({ minutes: 10, checks: behind([down(2, 5)], [down(2.5, 8)]) }),
    also: tells('FAILURE,RECOVERY', 'FAILURE_REMAIN,RECOVERY'),
  },
  {
    name: 'an outage that was told before its parent failed goes on as if there were none',
    script: scriptOf({ minutes: 9, checks: behind([down(3, 7)], [down(1, 5)]) }),
    also: tells('FAILURE,RECOVERY', 'FAILURE,RECOVERY'),
  },
  {
    name: 'an outage is told although its parent recovers while the server is away',
    script: scriptOf({
      minutes: 12,
      checks: behind([down(2, 4.5)], [down(2.5, 10)]),
      blows: [at(4, { kind: 'kill', server: 'a', afterCalls: 0, forMs: 90_000 })],
    }),
    also: tells('FAILURE,RECOVERY', 'FAILURE_REMAIN,RECOVERY'),
  },
  ...(
    [
      ['deleted', { kind: 'delete', check: 0 }],
      ['paused', { kind: 'change', check: 0, sent: { activated: false } }],
      ['muted', { kind: 'change', check: 0, sent: { muted: true } }],
    ] as const
  ).map(([what, blow]) => ({
    name: `an outage that its parent held back is told when the parent is ${what}`,
    script: scriptOf({ minutes: 8, checks: behind([down(2, 99)], [down(2.5, 6.5)]), blows: [at(4, blow)] }),
    also: tells('FAILURE', 'FAILURE_REMAIN,RECOVERY'),
  })),
  {
    name: 'a parent of which nothing is known any more holds back no longer',
    script: scriptOf({
      minutes: 14,
      agents: [agentAt('eu-west-1'), agentAt('us-east-1')],
      checks: behind([down(2, 99)], [down(2.5, 99)], { locations: ['us-east-1'] }),
      blows: [at(4, { kind: 'crash', agent: 'agent of us-east-1', forMs: 600_000 })],
    }),
    also: (simulation) =>
      toldOf(simulation, 1) === 'FAILURE_REMAIN' ? [] : [`told ${toldOf(simulation, 1) || 'nothing'}`],
  },
  {
    name: 'of a parent that waits for its threshold longer than a quarter of an hour the outage behind it is told',
    script: scriptOf({
      minutes: 24,
      checks: behind([down(2, 99)], [down(2.5, 99)], {
        alertSettings: { escalationType: 'TIME_BASED', timeBasedEscalation: { minutesFailingThreshold: 30 } },
      }),
    }),
    also: (simulation) =>
      toldOf(simulation, 1) === 'FAILURE_REMAIN' ? [] : [`told ${toldOf(simulation, 1) || 'nothing'}`],
  },
]
