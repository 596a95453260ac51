import { troubleCodes } from '@vedette/wire'
import type { Trouble } from '../../trouble.ts'
import type { HealthFacts } from '../facts/facts.ts'
import { isDead, locationTroubles } from './location-troubles.ts'
import { isNearlyFull, thresholds } from './thresholds.ts'
import { minutesText, ofInstallation, sizeText } from './trouble-text.ts'

type Rule = (facts: HealthFacts) => Trouble | undefined

/** What is wrong by these facts, the worst first. Readiness, metrics, the web app and alerts all use this. */
export function troublesOf(facts: HealthFacts): Trouble[] {
  // Without its database a server knows nothing of the rest.
  const away = databaseAway(facts)
  const found = away ? [away, diskNearlyFull(facts)] : rules.map((rule) => rule(facts))
  const troubles = [...found.filter((trouble) => trouble !== undefined), ...(away ? [] : locationTroubles(facts))]
  return troubles.toSorted((a, b) => troubleCodes.indexOf(a.code) - troubleCodes.indexOf(b.code))
}

/** False while nothing can be watched or told. */
export const isReady = (troubles: readonly Pick<Trouble, 'severity'>[]): boolean =>
  troubles.every(({ severity }) => severity !== 'critical')

const databaseAway: Rule = ({ now, database: { answers, silentMs, reason } }) =>
  answers || silentMs < thresholds.databaseAwayMs
    ? undefined
    : ofInstallation('DATABASE_AWAY', 'critical', now - silentMs, {
        title: 'The database does not answer',
        over: 'The database answers again',
        text: 'Nothing can be checked, stored or sent: the database does not answer.',
        reason,
        advice: 'See that the database runs, has space, and is reachable from this server.',
      })

const noScheduler: Rule = ({ now, leading, otherLeads, leaderlessMs, leaseFault, leases }) =>
  leading || otherLeads || leaderlessMs < thresholds.leaderlessMs
    ? undefined
    : ofInstallation('NO_SCHEDULER', 'critical', now - leaderlessMs, {
        occurrence: leases,
        title: leaseFault === null ? 'No server schedules' : 'No server schedules: its lease cannot be stored',
        over: 'A server schedules again',
        text: 'No server holds the lease of the schedule, so nothing is checked.',
        reason: leaseFault,
        advice:
          leaseFault === null
            ? 'See the log for why the lease cannot be taken, and restart the server if it says nothing.'
            : 'See that the database takes writes: that it has space and is not read-only.',
      })

const scheduleStuck: Rule = ({ now, leading, schedule: { overdueMs } }) =>
  !leading || overdueMs < thresholds.scheduleStuckMs
    ? undefined
    : ofInstallation('SCHEDULE_STUCK', 'critical', now - overdueMs, {
        title: 'The schedule stands still',
        over: 'The schedule moves again',
        text: `Runs have been due for ${minutesText(overdueMs)} and none was started.`,
        advice: 'Restart the server and keep its log.',
      })

const noAgent: Rule = (facts) => {
  const { now, leading, schedule, noAgentMs, locations, queue, notAskedMs } = facts
  if (!leading || schedule.checks === 0) return undefined
  if (noAgentMs >= thresholds.noAgentMs)
    return withoutAgents(
      now - noAgentMs,
      `No agent has been heard from for ${minutesText(noAgentMs)}: nothing is being checked.`,
    )
  if (locations.length > 0 && locations.every(isDead)) {
    const forMs = Math.min(...locations.map(({ withoutAgentMs }) => withoutAgentMs))
    const text = `None of the locations of any check has had an agent for ${minutesText(forMs)}: nothing is being checked.`
    return withoutAgents(now - forMs, text)
  }
  if (queue.waiting === 0 || notAskedMs < (queue.leased === 0 ? thresholds.notAskedMs : thresholds.notAskedBusyMs))
    return undefined
  const text = `Runs wait, and no agent has asked for one for ${minutesText(notAskedMs)}: nothing new is being checked.`
  return withoutAgents(now - notAskedMs, text)
}

const withoutAgents = (since: number, text: string): Trouble =>
  ofInstallation('NO_AGENT', 'critical', since, {
    title: 'No agent works',
    over: 'An agent works again',
    text,
    advice: 'See the log for why the built-in agent does not work, and that agents elsewhere reach this server.',
  })

const nothingKnown: Rule = ({ now, leading, schedule, unknownRuns: { count, forMs, cause } }) =>
  !leading || schedule.checks === 0 || forMs < thresholds.unknownMs || count < thresholds.unknownRuns
    ? undefined
    : ofInstallation('NOTHING_KNOWN', 'critical', now - forMs, {
        title: 'No run has a known outcome',
        over: 'Runs have known outcomes again',
        text: `All ${count} runs of the last ${minutesText(forMs)} ended as not known, so no outage is noticed.`,
        reason: cause,
        advice: 'See that the hosts of the agents are well: network, name resolution, load and memory.',
      })

const resultsNotStored: Rule = ({ now, leading, ingest: { failingMs, reason } }) =>
  !leading || failingMs === null || failingMs < thresholds.resultsNotStoredMs
    ? undefined
    : ofInstallation('RESULTS_NOT_STORED', 'critical', now - failingMs, {
        title: 'Results cannot be stored',
        over: 'Results are stored again',
        text: 'Results cannot be stored, so no failure is noticed.',
        reason,
        advice: 'Make room on the disk of the database, or see that it accepts writes. Agents keep their results.',
      })

/** A database that takes no writes is told once, by what it hinders most. */
const takesNoWrites = (facts: HealthFacts): boolean =>
  resultsNotStored(facts) !== undefined || (facts.leaseFault !== null && noScheduler(facts) !== undefined)

const notificationsNotSent: Rule = (facts) =>
  facts.deliveryRoundMs < thresholds.deliveryRoundMs || takesNoWrites(facts)
    ? undefined
    : ofInstallation('NOTIFICATIONS_NOT_SENT', 'critical', facts.now - facts.deliveryRoundMs, {
        title: 'Notifications are not sent',
        over: 'Notifications are sent again',
        text: `Due notifications could not be looked for in the last ${minutesText(facts.deliveryRoundMs)}.`,
        advice: 'See that the database accepts writes; restart the server if it does.',
      })

const diskNearlyFull: Rule = ({ now, disk }) =>
  disk === null || !isNearlyFull(disk)
    ? undefined
    : ofInstallation('DISK_NEARLY_FULL', 'warning', now - disk.lowMs, {
        title: 'The disk is nearly full',
        over: 'The disk has room again',
        text: `${sizeText(disk.free)} of ${sizeText(disk.size)} are free where the data directory is.`,
        advice: 'Make room: on a full disk no result can be stored.',
      })

const queueTooLong: Rule = ({ now, leading, queue: { waiting, limit, overLimitMs } }) =>
  !leading || overLimitMs < thresholds.waitingMs
    ? undefined
    : ofInstallation('QUEUE_TOO_LONG', 'warning', now - overLimitMs, {
        title: 'Too many runs wait',
        over: 'Runs no longer wait',
        text: `${waiting} runs wait for an agent, more than ${limit}: checks run late or not at all.`,
        advice: 'Start more agents for the locations concerned, or let checks run less often.',
      })

const clockLeapt: Rule = ({ now, clockLeap }) =>
  clockLeap === null || clockLeap.agoMs > thresholds.clockLeapShownMs
    ? undefined
    : ofInstallation('CLOCK_LEAPT', 'warning', now - clockLeap.agoMs, {
        title: 'The clock of the server leapt',
        over: 'The clock of the server runs evenly again',
        text: `The clock went ${clockLeap.byMs < 0 ? 'back' : 'forward'} by ${minutesText(Math.abs(clockLeap.byMs))}, because it was set or the host was suspended: times of results around then are doubtful, and runs may have been left out.`,
        advice: 'Let the host keep its time by NTP, and do not suspend it.',
      })

const canaryFailed: Rule = ({ now, leading, canary }) => {
  if (!leading || canary === null) return undefined
  const isMissing = canary.awaitedMs !== null && canary.awaitedMs >= thresholds.canaryAwaitedMs
  if (canary.failure === null && !isMissing) return undefined
  return ofInstallation('CANARY_FAILED', 'warning', canary.failedAt ?? canary.acceptedAt ?? now, {
    title: 'The daily canary did not arrive',
    over: 'The canary arrives again',
    text: canary.failure ?? 'No test notification has gone the whole road for more than a day.',
    reason: canary.reason,
    advice: 'Run `npm run canary`: it shows at which step the road ends.',
  })
}

const deadmanUnreached: Rule = ({ now, deadman }) =>
  deadman === null || deadman.failingMs < thresholds.deadmanMs
    ? undefined
    : ofInstallation('DEADMAN_UNREACHED', 'warning', now - deadman.failingMs, {
        title: 'The outside monitor is not reached',
        over: 'The outside monitor is reached again',
        text: 'The monitor at VEDETTE_DEADMAN_URL does not accept the calls.',
        reason: deadman.reason,
        advice: 'See that the address is right and reachable from this server.',
      })

const rules: readonly Rule[] = [
  noScheduler,
  scheduleStuck,
  noAgent,
  nothingKnown,
  resultsNotStored,
  notificationsNotSent,
  diskNearlyFull,
  queueTooLong,
  clockLeapt,
  canaryFailed,
  deadmanUnreached,
]
