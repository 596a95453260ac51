import type { TroubleCode } from '@vedette/wire'
import type { Trouble } from '../../trouble.ts'
import type { HealthFacts, LocationFact } from '../facts/facts.ts'
import { builtinLocations } from './location-troubles.ts'
import { isNearlyFull, thresholds } from './thresholds.ts'

/**
 * How the end of an alerted trouble is told; undefined while it lasts, and while its fact has not been measured since
 * this process started: a trouble is over when its fact is known to be good, not when it is not known.
 */
export function endOf(facts: HealthFacts, trouble: Trouble): string | undefined {
  // Without its database a server knows nothing of the rest.
  if (!facts.database.answers && trouble.code !== 'DISK_NEARLY_FULL') return undefined
  const end = ends[trouble.code](facts, trouble)
  return end === 'good' ? trouble.over : end === 'lasts' ? undefined : end.because
}

/** `because`: it ended, and not because its cause was mended. */
type End = 'good' | 'lasts' | { because: string }

const goodIf = (isGood: boolean): End => (isGood ? 'good' : 'lasts')

const ends: Record<TroubleCode, (facts: HealthFacts, trouble: Trouble) => End> = {
  DATABASE_AWAY: ({ database }) => goodIf(database.answers),
  NO_SCHEDULER: ({ leading, otherLeads }) => goodIf(leading || otherLeads),
  SCHEDULE_STUCK: ({ leading, schedule }) => goodIf(leading && moves(schedule)),
  RESULTS_NOT_STORED: (facts) =>
    hasNoChecks(facts) && facts.ingest.failingMs === null
      ? { because: 'No check runs any more, so there are no results to store' }
      : goodIf(facts.leading && facts.ingest.works),
  NO_AGENT: (facts) =>
    hasNoChecks(facts)
      ? { because: 'No check runs any more, so no agent is needed' }
      : goodIf(
          facts.leading &&
            facts.complete &&
            facts.agents.some(({ silentMs }) => silentMs === 0) &&
            facts.locations.some(({ agents }) => agents > 0) &&
            facts.notAskedMs < thresholds.notAskedMs,
        ),
  NOTHING_KNOWN: (facts) =>
    hasNoChecks(facts)
      ? { because: 'No check runs any more, so nothing is to be known' }
      : goodIf(facts.leading && facts.ingest.works && facts.unknownRuns.count === 0),
  // Shown by servers that stand by, and never alerted.
  LEADER_NOT_HEARD: () => 'good',
  NOTIFICATIONS_NOT_SENT: ({ deliveryWorks, deliveryRoundMs }) =>
    goodIf(deliveryWorks && deliveryRoundMs < thresholds.deliveryRoundMs),
  LOCATION_WITHOUT_AGENT: endOfLocation,
  AGENT_SILENT: endOfAgent,
  // Only a leader names failing channels: that a standby names none says nothing.
  NOTIFICATIONS_FAILING: ({ leading, complete }) => goodIf(leading && complete),
  QUEUE_TOO_LONG: ({ leading, queue }) => goodIf(leading && queue.waiting <= queue.limit),
  DISK_NEARLY_FULL: ({ disk }) => goodIf(disk !== null && !isNearlyFull(disk)),
  CLOCK_LEAPT: () => 'good',
  CANARY_FAILED: ({ leading, complete, canary }) => {
    if (!leading || !complete) return 'lasts'
    if (canary === null) return { because: 'The daily canary is switched off (VEDETTE_CANARY)' }
    return goodIf(canary.failure === null && canary.acceptedAt !== null)
  },
  DEADMAN_UNREACHED: ({ deadman }) =>
    deadman === null
      ? { because: 'No outside monitor is called any more: VEDETTE_DEADMAN_URL is not set' }
      : goodIf(deadman.accepted),
}

/** With many checks, one run or another is due at every look. */
const moves = ({ overdueMs, tickAgeMs }: HealthFacts['schedule']): boolean =>
  overdueMs === 0 || (tickAgeMs !== null && overdueMs < thresholds.scheduleMovesMs)

const hasNoChecks = ({ leading, schedule }: HealthFacts): boolean => leading && schedule.checks === 0

function endOfLocation({ leading, complete, locations }: HealthFacts, { key, subject }: Trouble): End {
  if (!leading || !complete) return 'lasts'
  const concerned: readonly LocationFact[] =
    key === builtinLocations
      ? locations.filter(({ served }) => served === 'by-builtin')
      : locations.filter(({ id }) => key.endsWith(` ${id}`))
  if (concerned.length === 0) return { because: `No check uses ${key === builtinLocations ? 'it' : subject} any more` }
  return goodIf(concerned.every(({ agents }) => agents > 0))
}

/** Agents are known by their calls alone: one that has not called since the start may be missing, or never come back. */
function endOfAgent({ leading, complete, agents, countedMs }: HealthFacts, { key, subject }: Trouble): End {
  if (!leading || !complete) return 'lasts'
  const agent = agents.find(({ agentId }) => key === `AGENT_SILENT ${agentId}`)
  if (agent !== undefined) return goodIf(agent.silentMs === 0 || agent.replaced)
  return countedMs < thresholds.agentForgottenMs
    ? 'lasts'
    : { because: `The agent of ${subject} is no longer expected` }
}
