import { agentAt, at, checkOf, down, scriptOf, type Scenario } from './scenario.ts'

const two = ['eu-west-1', 'us-east-1'] as const
const bothAgents = two.map((location) => agentAt(location))
const share = (percentage: number) => ({
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold: 1 },
  parallelRunFailureThreshold: { enabled: true, percentage },
})
const slowRetries = { type: 'FIXED', baseBackoffSeconds: 60, maxRetries: 2, maxDurationSeconds: 600, sameRegion: true }

const all = [...two, 'ap-south-1'] as const
/** Down at one of three locations, then at two, then at all, with time between them to recover. */
const more = [1, 2, 3].map((places) => down(places * 6.5 - 5.5, places * 6.5 - 2, all.slice(0, places)))

/** What a check, its locations and its definition can do to an outage. */
export const ofChecks: readonly Scenario[] = [
  {
    name: 'an outage everywhere is told although the locations fail in different slots',
    script: scriptOf({
      minutes: 14,
      restMs: 60_000,
      agents: bothAgents,
      checks: [
        checkOf(1, { locations: two, runParallel: true, retryStrategy: slowRetries, alertSettings: share(100) }, [
          down(2, 99, ['eu-west-1']),
          down(3, 99, ['us-east-1']),
        ]),
      ],
    }),
  },
  {
    name: 'an outage at some of the locations is told as each threshold of parallel checks says',
    script: scriptOf({
      minutes: 18,
      restMs: 60_000,
      agents: all.map((location) => agentAt(location)),
      checks: [undefined, 30, 50, 100].map((percentage, nth) => {
        const threshold = share(percentage ?? 100)
        const { parallelRunFailureThreshold: part } = threshold
        const alertSettings = {
          ...threshold,
          parallelRunFailureThreshold: { ...part, enabled: percentage !== undefined },
        }
        return checkOf(nth + 1, { locations: all, runParallel: true, alertSettings }, more)
      }),
    }),
    also: ({ chronicle }) => {
      const outages = chronicle.checks.map(
        ({ id }) =>
          chronicle.inbox.filter(({ checkId, alertType }) => checkId === id && alertType === 'ALERT_FAILURE').length,
      )
      return outages.join() === '3,3,2,1' ? [] : [`told of ${outages.join()} outages, not of 3,3,2,1`]
    },
  },
  {
    name: 'a location that was added without an agent keeps no outage and no recovery back',
    script: scriptOf({
      minutes: 20,
      restMs: 60_000,
      checks: [
        checkOf(1, { runParallel: true, alertSettings: share(100) }, [down(13, 17)]),
        checkOf(2, { runParallel: true }, [down(13, 17)]),
      ],
      blows: [0, 1].map((check) => at(11, { kind: 'change', check, sent: { locations: two } })),
    }),
  },
  {
    name: 'of several locations one has never had an agent: checks go on at the others',
    script: scriptOf({
      minutes: 14,
      checks: [checkOf(1, { locations: two }, [down(3, 8)]), checkOf(2, { locations: two, doubleCheck: true })],
    }),
    // The check is watched in every other slot only.
    also: ({ chronicle, history }) => {
      const told = chronicle.inbox.map(({ alertType }) => alertType).join()
      const isTold = told === 'ALERT_SYSTEM,ALERT_FAILURE,ALERT_RECOVERY'
      const unknown = history.results.some(({ outcome, location }) => outcome === 'unknown' && location === two[0])
      return [
        ...(isTold ? [] : [`told ${told || 'nothing'}`]),
        ...(unknown ? ['the living location has unknown runs'] : []),
      ]
    },
  },
  {
    name: 'checks that are changed, paused, muted and deleted do what they are told from then on',
    script: scriptOf({
      minutes: 12,
      agents: bothAgents,
      checks: [
        checkOf(1, {}, [down(6, 99)]),
        checkOf(2, { locations: two }, [down(1, 2), down(6, 99)]),
        checkOf(3, { locations: two, runParallel: true, alertSettings: share(50) }, [down(7, 99)]),
        checkOf(4, { retryStrategy: slowRetries }, [down(2, 99)]),
        checkOf(5, {}, [{ fromMin: 1, toMin: 99, health: 'silent' }]),
      ],
      blows: [
        at(1.1, { kind: 'change', check: 0, sent: { frequency: 1 } }),
        at(2.1, { kind: 'change', check: 0, sent: { activated: false } }),
        at(3.1, { kind: 'change', check: 0, sent: { activated: true, frequency: 0, frequencyOffset: 10 } }),
        at(1.5, { kind: 'change', check: 1, sent: { muted: true } }),
        at(4.5, { kind: 'change', check: 1, sent: { muted: false, locations: ['us-east-1'] } }),
        at(2.5, { kind: 'change', check: 2, sent: { locations: ['eu-west-1'] } }),
        at(4.5, { kind: 'change', check: 2, sent: { locations: two } }),
        at(2.5, { kind: 'change', check: 3, sent: { activated: false } }),
        at(3, { kind: 'change', check: 3, sent: { activated: true } }),
        at(1.2, { kind: 'delete', check: 4 }),
      ],
    }),
  },
  {
    name: 'a channel that is subscribed during an outage is told of it',
    script: scriptOf({
      minutes: 6,
      checks: [checkOf(1, {}, [down(1, 99)])],
      blows: [at(3, { kind: 'subscribe', check: 0 })],
    }),
    also: ({ history }) => {
      const channels = new Set(history.notifications.map(({ channelId }) => channelId)).size
      return channels === 2 ? [] : [`${channels} of 2 channels were notified`]
    },
  },
  {
    name: 'an outage is told again after its notification was refused for good',
    script: scriptOf({
      minutes: 10,
      checks: [checkOf(1, {}, [down(1, 99)])],
      blows: [at(0.5, { kind: 'break channel', forMs: 120_000 })],
    }),
  },
]
