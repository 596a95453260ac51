import { agentAt, at, checkOf, down, longestSilence, scriptOf, type Scenario } from './scenario.ts'

const agent = 'agent of eu-west-1'
const hourMs = 3_600_000

/** What agents, their hosts and their networks can do. */
export const ofAgents: readonly Scenario[] = [
  {
    name: 'an agent goes on when its clock is set back by an hour',
    script: scriptOf({
      minutes: 6,
      restMs: 60_000,
      checks: [checkOf(1, {}, [down(3, 99)]), checkOf(2)],
      blows: [at(1, { kind: 'set clock of agent', agent, byMs: -hourMs })],
    }),
  },
  {
    name: 'an agent goes on when its clock is set ahead by an hour, and right again',
    script: scriptOf({
      minutes: 7,
      restMs: 60_000,
      checks: [checkOf(1, {}, [down(1.5, 4)]), checkOf(2, {}, [down(4, 99)])],
      blows: [
        at(1, { kind: 'set clock of agent', agent, byMs: hourMs }),
        at(3, { kind: 'set clock of agent', agent, byMs: -hourMs }),
      ],
    }),
  },
  {
    name: 'an outage of all targets is told of every check, although runs wait for slots',
    script: scriptOf({
      // With fifteen times the runs that the slots hold, a first look at all targets takes longer than a run may wait.
      minutes: 40,
      restMs: 60_000,
      unfinishedMs: 10 * 60_000,
      agents: [agentAt('eu-west-1', { slots: 1 })],
      checks: Array.from({ length: 30 }, (_, nth) =>
        checkOf(nth + 1, { frequency: 1 }, [{ fromMin: 1, toMin: 99, health: 'silent' }]),
      ),
    }),
    also: ({ chronicle }) => {
      const ofOutages = chronicle.inbox.filter(({ alertType }) => alertType === 'ALERT_FAILURE')
      const told = new Set(ofOutages.map(({ checkId }) => checkId)).size
      return told === 30 ? [] : [`${told} of 30 outages were told`]
    },
  },
  {
    name: 'results go on after the disk of the spool was full while the server was away',
    script: scriptOf({
      minutes: 7,
      restMs: 150_000,
      checks: [checkOf(1, {}, [{ fromMin: 0, toMin: 1.1, health: 'silent' }]), checkOf(7, {}, [down(3, 99)])],
      // One run that began before the cut ends while the disk is full.
      blows: [
        at(1, { kind: 'cut off', agent, forMs: 60_000, silently: false }),
        at(1, { kind: 'fill disk', agent, forMs: 21_000 }),
      ],
    }),
  },
  {
    name: 'a run that never ends is given up, and its check is watched again',
    script: scriptOf({
      minutes: 8,
      agents: [agentAt('eu-west-1'), agentAt('eu-west-1', { name: 'other' })],
      checks: [checkOf(1), checkOf(2)],
      blows: [at(1, { kind: 'wedge', agent, forMs: 7 * 60_000 })],
    }),
    also: (simulation) => {
      const silence = longestSilence(simulation)
      return silence <= 5 ? [] : [`a check had no result for ${silence.toFixed(1)} minutes`]
    },
  },
  {
    name: 'what was spooled while the network was silent for a quarter of an hour is stored, and pages late',
    script: scriptOf({
      minutes: 21,
      checks: [checkOf(1, {}, [down(3, 10)]), checkOf(2, {}, [down(8, 99)])],
      blows: [at(2, { kind: 'cut off', agent, forMs: 15 * 60_000, silently: true })],
    }),
  },
  {
    name: 'an agent that was stopped for two minutes hands its runs over and comes back',
    script: scriptOf({
      minutes: 9,
      agents: [agentAt('eu-west-1'), agentAt('eu-west-1', { name: 'other' })],
      checks: [checkOf(1, {}, [down(2, 99)]), checkOf(2, { runParallel: true }, [down(2, 6)])],
      blows: [at(1, { kind: 'pause agent', agent, forMs: 120_000 }), at(4, { kind: 'crash', agent, forMs: 30_000 })],
    }),
  },
  {
    name: 'results whose texts cannot be stored as they are end their runs, and page',
    script: scriptOf({
      minutes: 5,
      checks: [checkOf(1, {}, [{ fromMin: 1, toMin: 99, health: 'hostile' }]), checkOf(2)],
    }),
  },
  {
    name: 'a single slot serves several checks',
    script: scriptOf({
      minutes: 8,
      agents: [agentAt('eu-west-1', { slots: 1 })],
      checks: [1, 2, 3, 4].map((nth) => checkOf(nth, {}, nth % 2 === 0 ? [down(2, 99)] : [])),
    }),
  },
]
