import { agentAt, at, checkOf, down, longestSilence, scriptOf, type Scenario } from './scenario.ts'
import type { Blow, TimedBlow } from '../script.ts'

const hourMs = 3_600_000
const servers = ['a', 'b']
const server = 'a'
const three = () => [
  checkOf(1, {}, [down(4, 99)]),
  checkOf(2, { doubleCheck: true }, [down(2, 3)]),
  checkOf(3, { runParallel: true, locations: ['eu-west-1', 'us-east-1'] }, [down(1, 4)]),
]
const agents = [agentAt('eu-west-1'), agentAt('us-east-1')]

/** The leader is killed, then paused, and so on. */
function inTurn(untilMin: number): TimedBlow[] {
  const blows: TimedBlow[] = []
  for (let minute = 0.5, nth = 0; minute < untilMin; minute += 0.25, nth++) {
    const kind: Blow['kind'] = nth % 2 === 0 ? 'kill' : 'pause'
    const each = servers[Math.floor(nth / 2) % 2] ?? server
    blows.push(at(minute, { kind, server: each, afterCalls: nth % 3 === 0 ? 0 : 5, forMs: 8000 }))
  }
  return blows
}

/** What servers, their clocks and their database can do. */
export const ofServers: readonly Scenario[] = [
  ...[-hourMs, hourMs].map((byMs): Scenario => ({
    name: `outages are told after the server's clock was set ${byMs < 0 ? 'back' : 'ahead'} by an hour`,
    script: scriptOf({
      minutes: 7,
      checks: [checkOf(1, {}, [down(3, 99)]), checkOf(2, {}, [down(1, 4)]), checkOf(3)],
      blows: [at(2, { kind: 'set clock of server', server, byMs })],
    }),
  })),
  {
    name: 'outages are told after the clock of the server was an hour ahead for a while',
    script: scriptOf({
      minutes: 9,
      checks: [checkOf(1, {}, [down(5, 99)]), checkOf(2, {}, [down(1, 6)]), checkOf(3)],
      blows: [
        at(2, { kind: 'set clock of server', server, byMs: hourMs }),
        at(4, { kind: 'set clock of server', server, byMs: -hourMs }),
      ],
    }),
  },
  ...[false, true].map((isKilled): Scenario => ({
    name: `a check whose retry is pending goes on after the clock was set back by an hour${isKilled ? ' and the server killed' : ''}`,
    script: scriptOf({
      minutes: 9,
      restMs: 60_000,
      checks: [
        checkOf(
          1,
          { retryStrategy: { type: 'FIXED', baseBackoffSeconds: 60, maxRetries: 1, maxDurationSeconds: 600 } },
          [down(1, 99)],
        ),
      ],
      blows: [
        at(1.8, { kind: 'set clock of server', server, byMs: -hourMs }),
        ...(isKilled ? [at(1.9, { kind: 'kill', server, afterCalls: 0, forMs: 5000 } as const)] : []),
      ],
    }),
  })),
  {
    name: 'a gap begins with the trouble, not with the oldest run in flight',
    script: scriptOf({
      minutes: 4,
      // At any time one of their runs has lasted for long.
      checks: [1, 2, 3, 4, 5, 6].map((nth) =>
        checkOf(nth, { frequency: 1 }, [{ fromMin: 0, toMin: 99, health: 'silent' }]),
      ),
      blows: [at(2.5, { kind: 'kill', server, afterCalls: 0, forMs: 1000 })],
    }),
  },
  {
    name: 'a gap is written once although the answers to its commits were lost',
    script: scriptOf({
      minutes: 3,
      checks: [checkOf(1)],
      blows: [
        at(1, { kind: 'pause', server, afterCalls: 0, forMs: 70_000 }),
        at(1.5, { kind: 'lose answers', server, count: 4 }),
      ],
    }),
  },
  {
    name: 'nothing is lost while the database refuses to store for two minutes',
    script: scriptOf({
      minutes: 9,
      agents,
      checks: three(),
      blows: [at(1.5, { kind: 'refuse commits', forMs: 120_000 })],
    }),
  },
  {
    name: 'everything goes on within 20 s after the database was silent',
    script: scriptOf({
      minutes: 7,
      agents,
      checks: three(),
      blows: [at(1.5, { kind: 'silence database', forMs: 90_000 })],
    }),
    // Real connections that go mute are in `silent-server.postgresql.test.ts` and in the stories.
    also: (simulation) => {
      const seconds = longestSilence(simulation) * 60
      // The silence itself, the time to go on, and the time until a check is due and its run has ended.
      return seconds <= 90 + 20 + 25 ? [] : [`a check had no result for ${Math.round(seconds)} s`]
    },
  },
  {
    name: 'a clock that is two months ahead for a while deletes no results',
    script: scriptOf({
      minutes: 8,
      checks: [checkOf(1), checkOf(2, {}, [down(6, 99)])],
      blows: [
        at(1, { kind: 'set clock of server', server, byMs: 60 * 24 * hourMs }),
        // A server that starts drops two days. There are seven before those with results.
        ...[1.2, 1.4, 1.6, 1.8, 2, 2.2].map((minute) =>
          at(minute, { kind: 'kill', server, afterCalls: 0, forMs: 1000 }),
        ),
        at(3, { kind: 'set clock of server', server, byMs: -60 * 24 * hourMs }),
      ],
    }),
  },
  {
    name: 'a server that stood still for a minute goes on with one gap',
    script: scriptOf({
      minutes: 8,
      agents,
      checks: three(),
      blows: [
        at(1.1, { kind: 'pause', server, afterCalls: 0, forMs: 60_000 }),
        at(3, { kind: 'pause', server, afterCalls: 7, forMs: 20_000 }),
      ],
    }),
  },
  {
    name: 'a check that is paused and one that is changed through the standby follow at the leader',
    script: scriptOf({
      servers,
      minutes: 6,
      checks: [checkOf(1), checkOf(2, {}, [down(2, 99)])],
      blows: [
        at(1, { kind: 'change', check: 0, sent: { activated: false }, through: 'b' }),
        at(1, { kind: 'change', check: 1, sent: { frequencyOffset: 10 }, through: 'b' }),
      ],
    }),
  },
  {
    name: 'results that the standby stored end their runs at the leader',
    script: scriptOf({
      servers,
      minutes: 6,
      checks: [checkOf(1), checkOf(2, {}, [down(2, 99)]), checkOf(3, { doubleCheck: true }, [down(2, 99)])],
      // Each break sends the agent to the other server.
      blows: Array.from({ length: 40 }, (_, nth) =>
        at(0.5 + nth / 9, { kind: 'cut off', agent: 'agent of eu-west-1', forMs: 300, silently: false }),
      ),
    }),
  },
  {
    name: 'two servers are killed and paused in turn for two minutes',
    script: scriptOf({ servers, minutes: 9, agents, checks: three(), blows: inTurn(2.5) }),
  },
]
